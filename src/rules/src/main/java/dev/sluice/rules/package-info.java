/**
 * What an admission rule is and what it sees. A review runs the {@link dev.sluice.rules.RuleBook},
 * whose rules read the object through {@link dev.sluice.rules.Field} and collect a {@link
 * dev.sluice.rules.ValidationResult}; a {@link dev.sluice.rules.Denial} is made of it. The rules of
 * the group's own kinds are in the webhook module, those of jobs in the module of jobs. Which rule
 * refuses and which warns is listed in docs/reference/validation.md.
 */
@NullMarked
package dev.sluice.rules;

import org.jspecify.annotations.NullMarked;
