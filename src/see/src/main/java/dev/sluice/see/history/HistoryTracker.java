package dev.sluice.see.history;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * All that a history knows of the Workloads and quotas that are there, and what each version of an
 * object adds to it. Thread-safe. It keeps one {@link WorkloadFacts} for each Workload that is not
 * deleted.
 */
public final class HistoryTracker {
  private final Map<ObjectKey, WorkloadFacts> workloads = new TreeMap<>();
  private final Map<String, QuotaChange> quotas = new HashMap<>();
  private @Nullable Instant last;

  /** Takes in a line of the history that was written earlier. */
  public synchronized void replay(HistoryLine line) {
    last = last == null || line.at().isAfter(last) ? line.at() : last;
    switch (line) {
      case Gap _ -> {}
      case QuotaChange change -> quotas.put(id(change.cohort(), change.name()), change);
      case Transition transition -> {
        ObjectKey key = transition.subject().workload();
        WorkloadFacts known = workloads.get(key);
        boolean isSame = known != null && known.subject().uid().equals(transition.subject().uid());
        WorkloadFacts.after(isSame ? known : null, transition)
            .ifPresentOrElse(it -> workloads.put(key, it), () -> forget(key, isSame));
      }
    }
  }

  private void forget(ObjectKey key, boolean isSame) {
    if (isSame) {
      workloads.remove(key);
    }
  }

  /** The latest time of all lines that were replayed; null if there was none. */
  public synchronized @Nullable Instant last() {
    return last;
  }

  /** Forgets all, so that the lines can be replayed again. */
  public synchronized void clear() {
    workloads.clear();
    quotas.clear();
    last = null;
  }

  /** The lines of a version of a Workload. */
  public synchronized List<HistoryLine> seen(WorkloadState version, Instant now) {
    List<HistoryLine> lines = new ArrayList<>();
    WorkloadFacts known = workloads.get(version.key());
    if (known != null && !known.subject().uid().equals(version.uid())) {
      lines.add(known.gone(now, Transition.NOT_SEEN));
      known = null;
    }
    WorkloadFacts.Stepped step = WorkloadFacts.step(known, version, now);
    workloads.put(version.key(), step.facts());
    lines.addAll(step.lines());
    return lines;
  }

  /** The line of a Workload that is deleted; nothing where another of its name is there. */
  public synchronized List<HistoryLine> deleted(ObjectKey key, String uid, Instant now) {
    WorkloadFacts known = workloads.get(key);
    if (known == null || !(uid.isEmpty() || known.subject().uid().equals(uid))) {
      return List.of();
    }
    workloads.remove(key);
    return List.of(known.gone(now, ""));
  }

  /** The line of a quota, if it differs from what is known. */
  public synchronized List<HistoryLine> seen(QuotaChange change) {
    QuotaChange known = quotas.get(id(change.cohort(), change.name()));
    boolean isDeleted = change.nominal().isEmpty() && change.parent().isEmpty() && known == null;
    if (isDeleted || (known != null && known.says(change))) {
      return List.of();
    }
    quotas.put(id(change.cohort(), change.name()), change);
    return List.of(change);
  }

  private static String id(boolean cohort, String name) {
    return (cohort ? "cohort " : "queue ") + name;
  }

  /**
   * The lines of all Workloads that are no longer there, which nobody saw.
   *
   * @param isThere whether there is a Workload of that name and uid
   * @param at from when on they are taken to be gone
   */
  public synchronized List<HistoryLine> missing(
      BiPredicate<ObjectKey, String> isThere, Instant at) {
    List<HistoryLine> lines = new ArrayList<>();
    workloads
        .values()
        .removeIf(
            known -> {
              boolean gone = !isThere.test(known.subject().workload(), known.subject().uid());
              if (gone) {
                lines.add(known.gone(at, Transition.NOT_SEEN));
              }
              return gone;
            });
    return lines;
  }

  /** What is known of that Workload, or null. */
  public synchronized @Nullable WorkloadFacts find(ObjectKey key) {
    return workloads.get(key);
  }

  /** What is known of all Workloads that have not ended, in the order of their names. */
  public synchronized List<WorkloadFacts> unfinished() {
    return workloads.values().stream().filter(it -> it.finished() == null).toList();
  }

  /** The present quotas, and a line for each Workload that holds some at that moment. */
  public synchronized List<HistoryLine> open(Instant now) {
    List<HistoryLine> lines = new ArrayList<>(new TreeMap<>(quotas).values());
    workloads.values().forEach(it -> it.open(now).ifPresent(lines::add));
    return lines;
  }
}
