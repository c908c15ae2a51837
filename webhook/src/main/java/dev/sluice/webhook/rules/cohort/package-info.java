/** The rules for a Cohort. Start at {@link dev.sluice.webhook.rules.cohort.CohortRules}. */
@NullMarked
package dev.sluice.webhook.rules.cohort;

import org.jspecify.annotations.NullMarked;
