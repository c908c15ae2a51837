/**
 * What admission does with jobs of all kinds: defaults, rules, warnings. A kind implements {@link
 * dev.sluice.jobs.admission.JobKind}.
 */
@NullMarked
package dev.sluice.jobs.admission;

import org.jspecify.annotations.NullMarked;
