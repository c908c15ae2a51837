/**
 * The search for flavors: which flavor serves which resource of which PodSet, with how many pods,
 * and which workloads would be preempted. Start at {@link dev.sluice.quota.assign.Nominator}.
 */
@NullMarked
package dev.sluice.quota.assign;

import org.jspecify.annotations.NullMarked;
