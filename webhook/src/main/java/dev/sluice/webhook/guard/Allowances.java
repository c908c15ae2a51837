package dev.sluice.webhook.guard;

import dev.sluice.webhook.guard.PodFacts.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Allowed Pods that the view may not show yet: between the answer and the watch event they count
 * too, or two simultaneous creations would count as one. They expire, since a creation may fail
 * after its review. Bounded; for one thread at a time.
 *
 * <p>A review of a creation can be forged, and a Pod that does not exist yet cannot be looked up.
 * So if callers are not known and a Pod does not appear in time, reviews of its Job do not count
 * for a while.
 */
final class Allowances {
  static final int MAX = 20_000;

  /**
   * Far longer than storing a pod takes, and no longer than a Job controller waits to try again.
   */
  private static final Duration OF_KNOWN = Duration.ofSeconds(2);

  private static final Duration OF_ANYBODY = Duration.ofSeconds(1);
  private static final Duration DISTRUST = Duration.ofSeconds(10);
  private static final int LONGEST_NAME = 253;

  private final boolean callersAreKnown;
  private final long lifetime;
  private final Set<Allowance> inOrder = new LinkedHashSet<>();
  private final Map<String, Map<String, Allowance>> byJob = new HashMap<>();
  private final Map<String, Long> distrusted = new HashMap<>();

  private static final class Allowance {
    private final String jobUid;
    private final PodFacts pod;
    private final long at;
    private boolean seen;

    private Allowance(String jobUid, PodFacts pod, long at) {
      this.jobUid = jobUid;
      this.pod = pod;
      this.at = at;
    }
  }

  /** Empty; {@code callersAreKnown} if only the API server can send reviews. */
  Allowances(boolean callersAreKnown) {
    this.callersAreKnown = callersAreKnown;
    this.lifetime = (callersAreKnown ? OF_KNOWN : OF_ANYBODY).toNanos();
  }

  int size() {
    return inOrder.size();
  }

  /**
   * Adds an expected pod once, however often it is reviewed. Beyond the bound, the oldest is
   * dropped.
   */
  void add(String jobUid, PodFacts pod, long now) {
    forget(now);
    if (pod.name().length() > LONGEST_NAME || distrusted.containsKey(jobUid)) {
      return;
    }
    var coming = new PodFacts(pod.name(), "", Phase.ALIVE, false, true, pod.index());
    var allowance = new Allowance(jobUid, coming, now);
    if (byJob.computeIfAbsent(jobUid, _ -> new LinkedHashMap<>()).putIfAbsent(pod.name(), allowance)
        == null) {
      inOrder.add(allowance);
    }
    if (inOrder.size() > MAX) {
      drop(inOrder.iterator().next());
    }
  }

  /** The pods of the Job that were let through lately and are not among the {@code seen} names. */
  List<PodFacts> of(String jobUid, Set<String> seen, long now) {
    forget(now);
    List<PodFacts> coming = new ArrayList<>();
    for (Allowance allowance : List.copyOf(byJob.getOrDefault(jobUid, Map.of()).values())) {
      boolean isSeen = seen.contains(allowance.pod.name());
      allowance.seen |= isSeen;
      if (now - allowance.at > lifetime) {
        end(allowance, now);
      } else if (!isSeen) {
        coming.add(allowance.pod);
      }
    }
    return distrusted.containsKey(jobUid) ? List.of() : coming;
  }

  private void end(Allowance allowance, long now) {
    drop(allowance);
    if (!allowance.seen && !callersAreKnown) {
      distrusted.put(allowance.jobUid, now);
    }
  }

  /** Removes entries without a review for a long time; younger ones are checked with their Job. */
  private void forget(long now) {
    distrusted.values().removeIf(since -> now - since > DISTRUST.toNanos());
    while (!inOrder.isEmpty() && now - inOrder.iterator().next().at > DISTRUST.toNanos()) {
      drop(inOrder.iterator().next());
    }
  }

  private void drop(Allowance allowance) {
    inOrder.remove(allowance);
    byJob.computeIfPresent(
        allowance.jobUid,
        (_, ofJob) -> {
          ofJob.remove(allowance.pod.name());
          return ofJob.isEmpty() ? null : ofJob;
        });
  }
}
