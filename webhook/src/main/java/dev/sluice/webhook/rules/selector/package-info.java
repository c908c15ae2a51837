/**
 * What Kubernetes asks of a label selector. Start at {@link
 * dev.sluice.webhook.rules.selector.LabelSelectorRules}.
 */
@NullMarked
package dev.sluice.webhook.rules.selector;

import org.jspecify.annotations.NullMarked;
