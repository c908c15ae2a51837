/**
 * The rules for a ResourceFlavor. Start at {@link
 * dev.sluice.webhook.rules.flavor.ResourceFlavorRules}.
 */
@NullMarked
package dev.sluice.webhook.rules.flavor;

import org.jspecify.annotations.NullMarked;
