package dev.sluice.cli.replay;

import dev.sluice.cli.picture.UsageOverTime;
import dev.sluice.cli.picture.UsageOverTime.Step;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.FlavorResource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Notes what ClusterQueues use while a recording is played. The longer it lasts, the further apart
 * are the steps, so that there are never many. For one thread.
 */
final class UsageRecorder {
  private static final int MOST = 2_000;

  private final boolean isWanted;
  private final List<Step> steps = new ArrayList<>();

  /** The last quota of each ClusterQueue, also of those that were deleted. */
  private final Map<String, Map<FlavorResource, Long>> nominal = new TreeMap<>();

  private Duration apart = Duration.ZERO;
  private int cycles;
  private @Nullable Instant start;
  private @Nullable Snapshot last;
  private Instant seen = Instant.EPOCH;

  /**
   * Nothing is noted yet.
   *
   * @param isWanted whether anything is to be noted; that costs time
   */
  UsageRecorder(boolean isWanted) {
    this.isWanted = isWanted;
  }

  /** Whether anything is to be noted. */
  boolean isWanted() {
    return isWanted;
  }

  /** A cycle was run. */
  void cycled() {
    cycles++;
  }

  /** The state at that time, which is not before the one before. */
  void look(Instant now, Snapshot snapshot) {
    if (!isWanted) {
      return;
    }
    start = start == null ? now : start;
    last = snapshot;
    seen = now;
    if (steps.isEmpty() || !now.isBefore(steps.getLast().time().plus(apart))) {
      note(now, snapshot);
    }
  }

  private void note(Instant now, Snapshot snapshot) {
    Map<String, Map<FlavorResource, Long>> usage = new TreeMap<>();
    for (String queue : snapshot.clusterQueues()) {
      Map<FlavorResource, Long> used = new TreeMap<>();
      Map<FlavorResource, Long> quota = new TreeMap<>();
      snapshot
          .standing(queue)
          .forEach(
              (pair, it) -> {
                used.put(pair, it.used().value());
                quota.put(pair, it.nominal().value());
              });
      usage.put(queue, used);
      nominal.put(queue, quota);
    }
    if (!steps.isEmpty() && steps.getLast().time().equals(now)) {
      steps.removeLast();
    }
    if (steps.isEmpty() || !steps.getLast().usage().equals(usage)) {
      steps.add(new Step(now, cycles, usage));
    }
    if (steps.size() > MOST) {
      thin();
    }
  }

  private void thin() {
    Duration all = Duration.between(steps.getFirst().time(), steps.getLast().time());
    apart = all.dividedBy(MOST / 2);
    List<Step> kept = new ArrayList<>();
    for (int i = 0; i < steps.size(); i += 2) {
      kept.add(steps.get(i));
    }
    steps.clear();
    steps.addAll(kept);
  }

  UsageOverTime result() {
    if (last != null) {
      note(seen, last);
    }
    return new UsageOverTime(start == null ? Instant.EPOCH : start, steps, nominal, cycles);
  }
}
