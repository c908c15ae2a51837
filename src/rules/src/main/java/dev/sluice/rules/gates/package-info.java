/**
 * The annotation by which others hold back the admission of a job or a Workload. Start at {@link
 * dev.sluice.rules.gates.AdmissionGatedBy}.
 */
@NullMarked
package dev.sluice.rules.gates;

import org.jspecify.annotations.NullMarked;
