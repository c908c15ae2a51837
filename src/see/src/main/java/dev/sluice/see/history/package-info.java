/**
 * What has happened to Workloads and quotas, as lines that are derived from successive versions of
 * their objects. Start at {@link dev.sluice.see.history.WorkloadFacts#step}.
 */
@NullMarked
package dev.sluice.see.history;

import org.jspecify.annotations.NullMarked;
