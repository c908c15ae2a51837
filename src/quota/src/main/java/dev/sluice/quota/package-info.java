/**
 * The quota engine: it decides who is admitted, who has to give way and who waits for what, and
 * says why. It is a library without I/O, clock or threads: objects and the time go in, decisions
 * come out, and the same input gives the same decisions.
 *
 * <p>Start at {@code QuotaEngine}, the single writer:
 *
 * <ul>
 *   <li>{@code new QuotaEngine(EngineConfiguration)}: an engine that knows nothing yet.
 *   <li>{@code apply(Change, Instant)}: an object of the cluster is now so ({@code Change.Upsert})
 *       or gone ({@code Change.Delete}). In any order; what refers to an object that is not there
 *       yet waits for it by name.
 *   <li>{@code cycle(Instant)}: one scheduling cycle, at most one head per ClusterQueue; answers a
 *       {@code CycleResult} with a {@code Decision} for each head. The engine has already taken its
 *       own decisions into account, also in the conditions of {@code workload(key)}.
 *   <li>{@code snapshot()}: the state as an immutable value, taken in O(1): usage and quota in
 *       every node, what is pending and what is inadmissible per ClusterQueue in queue order, every
 *       Workload with its conditions.
 * </ul>
 */
@NullMarked
package dev.sluice.quota;

import org.jspecify.annotations.NullMarked;
