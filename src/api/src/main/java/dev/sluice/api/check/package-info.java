/**
 * Conditions beside the quota that an admission may depend on: checks, worker clusters, requests
 * for nodes. Start at {@link dev.sluice.api.check.AdmissionCheck}.
 */
@NullMarked
package dev.sluice.api.check;

import org.jspecify.annotations.NullMarked;
