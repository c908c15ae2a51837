/**
 * What Kubernetes asks of a list of conditions, and the reading of one. Start at {@link
 * dev.sluice.webhook.rules.conditions.Conditions}.
 */
@NullMarked
package dev.sluice.webhook.rules.conditions;

import org.jspecify.annotations.NullMarked;
