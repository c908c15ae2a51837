package dev.sluice.see.usage;

import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.see.standing.NodeStanding;
import dev.sluice.see.standing.PairStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Samples of what all ClusterQueues have and use, of the last hour. Each resource of a flavor of a
 * queue takes the same space, and there is a bound for all of them; those beyond it are not kept.
 * Thread-safe.
 */
public final class UsageLog {
  /** How far back it reaches. */
  public static final Duration SPAN = Duration.ofHours(1);

  /** How far samples are apart. */
  public static final Duration EVERY = Duration.ofSeconds(30);

  /** What all samples take together, in bytes. */
  public static final long MOST_BYTES = 32L << 20;

  /** Both ends of the hour have one. */
  static final int SAMPLES = (int) SPAN.dividedBy(EVERY) + 1;

  private static final int VALUES = 3;
  private static final long OVERHEAD = 256;

  /** What one pair takes, in bytes: its numbers, and its place in the maps. */
  static final long PAIR_BYTES = (long) VALUES * SAMPLES * Long.BYTES + OVERHEAD;

  private static final long ABSENT = Long.MIN_VALUE;
  private static final Comparator<FlavorResource> ORDER =
      Comparator.comparing(FlavorResource::flavor).thenComparing(FlavorResource::resource);

  private final long mostPairs;

  private final Map<String, Map<FlavorResource, Series>> queues = new HashMap<>();

  /** The times of the samples, in seconds; the sample of number n is at n modulo their count. */
  private final long[] times = new long[SAMPLES];

  private long samples;

  private long pairs;

  /** The numbers of one pair, three for each sample. */
  private static final class Series {
    private final long[] values = new long[VALUES * SAMPLES];
    private long last;

    private Series() {
      Arrays.fill(values, ABSENT);
    }

    private void set(long sample, long nominal, long used, long borrowed) {
      int at = index(sample) * VALUES;
      values[at] = nominal;
      values[at + 1] = used;
      values[at + 2] = borrowed;
    }

    private QueueUsage.@Nullable Use get(long sample) {
      int at = index(sample) * VALUES;
      return values[at] == ABSENT
          ? null
          : new QueueUsage.Use(
              new Amount(values[at]), new Amount(values[at + 1]), new Amount(values[at + 2]));
    }
  }

  /** An empty one. */
  public UsageLog() {
    this(MOST_BYTES);
  }

  UsageLog(long mostBytes) {
    this.mostPairs = mostBytes / PAIR_BYTES;
  }

  private static int index(long sample) {
    return (int) (sample % SAMPLES);
  }

  /** Whether it is time for a sample. */
  public synchronized boolean isDue(Instant now) {
    return samples == 0 || Math.abs(elapsed(now)) >= EVERY.toSeconds();
  }

  /** Since the last sample, in seconds. */
  private long elapsed(Instant now) {
    return now.getEpochSecond() - times[index(samples - 1)];
  }

  /**
   * Takes a sample, if one is due. Costs the pairs of all queues. If the clock was set back, all
   * samples before are forgotten.
   */
  public synchronized void note(Instant now, List<NodeStanding> roots) {
    if (!isDue(now)) {
      return;
    }
    if (samples > 0 && elapsed(now) < 0) {
      queues.clear();
      samples = 0;
      pairs = 0;
    }
    long sample = samples++;
    times[index(sample)] = now.getEpochSecond();
    queues.values().forEach(all -> all.values().forEach(it -> it.set(sample, ABSENT, 0, 0)));
    roots.forEach(root -> note(sample, root));
    queues
        .values()
        .removeIf(
            all -> {
              int before = all.size();
              all.values().removeIf(it -> sample - it.last >= SAMPLES);
              pairs -= before - all.size();
              return all.isEmpty();
            });
  }

  private void note(long sample, NodeStanding node) {
    node.children().forEach(child -> note(sample, child));
    if (node.name().isClusterQueue()) {
      node.pairs().forEach(pair -> note(sample, node.name().name(), pair));
    }
  }

  private void note(long sample, String queue, PairStanding standing) {
    Map<FlavorResource, Series> known = queues.get(queue);
    Series series = known == null ? null : known.get(standing.pair());
    if (series == null) {
      if (pairs >= mostPairs) {
        return;
      }
      pairs++;
      series = new Series();
      queues.computeIfAbsent(queue, _ -> new HashMap<>()).put(standing.pair(), series);
    }
    series.last = sample;
    series.set(
        sample, standing.nominal().value(), standing.used().value(), standing.borrowed().value());
  }

  /** What is known of a ClusterQueue; nothing of one that has never been seen. */
  public synchronized QueueUsage of(String clusterQueue, Instant now) {
    long first = Math.max(0, samples - SAMPLES);
    while (first < samples && times[index(first)] < now.getEpochSecond() - SPAN.toSeconds()) {
      first++;
    }
    List<QueueUsage.Pair> shown = new ArrayList<>();
    Map<FlavorResource, Series> all = queues.getOrDefault(clusterQueue, Map.of());
    for (FlavorResource pair : all.keySet().stream().sorted(ORDER).toList()) {
      List<QueueUsage.Step> steps = steps(Objects.requireNonNull(all.get(pair)), first);
      if (!steps.isEmpty()) {
        shown.add(new QueueUsage.Pair(pair, steps));
      }
    }
    boolean isEmpty = first == samples;
    return new QueueUsage(
        isEmpty ? null : at(first), isEmpty ? null : at(samples - 1), pairs < mostPairs, shown);
  }

  /** One for each change, so that an idle queue is a short answer. */
  private List<QueueUsage.Step> steps(Series series, long first) {
    List<QueueUsage.Step> steps = new ArrayList<>();
    QueueUsage.Use before = null;
    for (long sample = first; sample < samples; sample++) {
      QueueUsage.Use use = series.get(sample);
      if (!Objects.equals(use, before)) {
        steps.add(new QueueUsage.Step(at(sample), use));
      }
      before = use;
    }
    return steps;
  }

  private Instant at(long sample) {
    return Instant.ofEpochSecond(times[index(sample)]);
  }
}
