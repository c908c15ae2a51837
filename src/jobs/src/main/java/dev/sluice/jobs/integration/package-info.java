/** The contract of a job kind: {@link dev.sluice.jobs.integration.JobIntegration}. */
@NullMarked
package dev.sluice.jobs.integration;

import org.jspecify.annotations.NullMarked;
