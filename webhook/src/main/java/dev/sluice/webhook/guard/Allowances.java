package dev.sluice.webhook.guard;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pods that were let through and may not be seen yet: between the answer and the watch event they
 * count too, or two creations at once would pass for one. Forgotten after a while, for a creation
 * may have failed later on. Bounded; for one thread at a time.
 */
final class Allowances {
  private static final int MAX = 20_000;

  private final long lifetimeNanos;
  private final Deque<Allowance> inOrder = new ArrayDeque<>();
  private final Map<String, List<Allowance>> byJob = new HashMap<>();

  private record Allowance(String jobUid, PodFacts pod, long at) {}

  Allowances(Duration lifetime) {
    this.lifetimeNanos = lifetime.toNanos();
  }

  /** Remembers a pod; of too many the oldest is forgotten. */
  void add(String jobUid, PodFacts pod, long now) {
    var allowance = new Allowance(jobUid, pod, now);
    inOrder.add(allowance);
    byJob.computeIfAbsent(jobUid, _ -> new ArrayList<>()).add(allowance);
    forget(now);
  }

  /** The pods of the Job that were let through lately and are not among the {@code seen} names. */
  List<PodFacts> of(String jobUid, Set<String> seen, long now) {
    forget(now);
    return byJob.getOrDefault(jobUid, List.of()).stream()
        .map(Allowance::pod)
        .filter(pod -> !seen.contains(pod.name()))
        .toList();
  }

  private void forget(long now) {
    while (!inOrder.isEmpty()
        && (inOrder.size() > MAX || now - inOrder.getFirst().at() > lifetimeNanos)) {
      Allowance oldest = inOrder.removeFirst();
      byJob.computeIfPresent(
          oldest.jobUid(),
          (_, ofJob) -> {
            ofJob.remove(oldest);
            return ofJob.isEmpty() ? null : ofJob;
          });
    }
  }
}
