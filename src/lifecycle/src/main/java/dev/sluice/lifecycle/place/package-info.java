/**
 * Pods of workloads that topology-aware scheduling placed: which of them get which place, and which
 * may start. Planners are pure; {@link dev.sluice.lifecycle.place.WorkloadPods} finds the pods.
 */
@NullMarked
package dev.sluice.lifecycle.place;

import org.jspecify.annotations.NullMarked;
