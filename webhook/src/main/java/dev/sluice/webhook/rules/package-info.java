/**
 * What admission asks of an object: a review runs the {@link dev.sluice.webhook.rules.RuleBook},
 * whose rules read the object through {@link dev.sluice.webhook.rules.Field} and collect {@link
 * dev.sluice.webhook.rules.Findings}; a {@link dev.sluice.webhook.rules.Denial} is made of those.
 * There is a package of rules per kind, and {@code rules.quota} for what several kinds share. Which
 * rule refuses and which warns is listed in docs/validation.md.
 */
@NullMarked
package dev.sluice.webhook.rules;

import org.jspecify.annotations.NullMarked;
