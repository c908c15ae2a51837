/**
 * The annotation by which others hold back the admission of a job or a Workload. Start at {@link
 * dev.sluice.webhook.rules.gates.AdmissionGatedBy}.
 */
@NullMarked
package dev.sluice.webhook.rules.gates;

import org.jspecify.annotations.NullMarked;
