package dev.sluice.multicluster.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Nominates a few clusters at a time: the next ones are added after five minutes, or as soon as all
 * of the last step have refused. No nomination is withdrawn. There are no steps after all are
 * nominated.
 *
 * @param stepSize how many are added at a time
 * @param inConfigOrder whether they are taken in the order of the configuration; else by name
 */
public record Incremental(int stepSize, boolean inConfigOrder) implements Dispatcher {
  /** The time that a step waits for an answer. */
  public static final Duration STEP = Duration.ofMinutes(5);

  public Incremental {
    if (stepSize < 1) {
      throw new IllegalArgumentException("stepSize: " + stepSize + " (expected: at least 1)");
    }
  }

  @Override
  public Nomination nominate(
      List<Candidate> candidates, List<String> stored, Optional<Round> round, Instant now) {
    List<String> known = candidates.stream().map(Candidate::name).toList();
    List<String> kept = stored.stream().filter(known::contains).toList();
    List<String> next = next(candidates, kept);
    if (kept.isEmpty()) {
      return next.isEmpty() ? Nomination.of(List.of()) : step(kept, next, now);
    }
    Round present = round.orElse(new Round(now, kept));
    if (next.isEmpty()) {
      return new Nomination(kept, List.of(), Optional.of(present), Optional.empty());
    }
    boolean isOver =
        !now.isBefore(present.since().plus(STEP)) || haveRefused(present.members(), candidates);
    return isOver
        ? step(kept, next, now)
        : new Nomination(
            kept, List.of(), Optional.of(present), Optional.of(present.since().plus(STEP)));
  }

  /** Clusters that are out of reach or have refused do not fill a step. */
  private List<String> next(List<Candidate> candidates, List<String> kept) {
    Stream<String> names =
        candidates.stream()
            .filter(it -> it.isUsable() && !it.hasRefused() && !kept.contains(it.name()))
            .map(Candidate::name);
    return (inConfigOrder ? names : names.sorted(Comparator.naturalOrder()))
        .limit(Math.min(stepSize, Math.max(0, MOST - kept.size())))
        .toList();
  }

  private static Nomination step(List<String> kept, List<String> next, Instant now) {
    List<String> clusters = new ArrayList<>(kept);
    clusters.addAll(next);
    return new Nomination(
        clusters, List.of(), Optional.of(new Round(now, next)), Optional.of(now.plus(STEP)));
  }

  private static boolean haveRefused(List<String> members, List<Candidate> candidates) {
    List<Candidate> asked =
        candidates.stream().filter(it -> members.contains(it.name()) && it.isUsable()).toList();
    return !asked.isEmpty() && asked.stream().allMatch(Candidate::hasRefused);
  }
}
