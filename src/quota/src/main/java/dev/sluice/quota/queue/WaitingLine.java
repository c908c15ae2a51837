package dev.sluice.quota.queue;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * All workloads that wait in one ClusterQueue, pending or parked, in the one order in which cycles
 * serve them: where LocalQueues share fairly, the lower usage of the LocalQueue first; then the
 * workload for which others are evicted; then by {@link QueuePosition}. Immutable, for any thread.
 */
// Sorted when it is made; after that a page costs its length.
public final class WaitingLine {
  /** A line without workloads. */
  public static final WaitingLine EMPTY = new WaitingLine(List.of());

  /**
   * A workload in the line; positions start at 0.
   *
   * @param inLocalQueue the position among the workloads of its LocalQueue
   * @param parked whether it waits for an event before a cycle considers it
   */
  public record Place(
      WorkloadState workload, int inClusterQueue, int inLocalQueue, boolean parked) {}

  private record Candidate(
      WorkloadState workload, ObjectKey localQueue, QueuePosition position, double usage) {}

  private final List<Place> places;
  private final Map<ObjectKey, List<Place>> byLocalQueue = new HashMap<>();

  private WaitingLine(List<Place> places) {
    this.places = List.copyOf(places);
    for (Place place : places) {
      ObjectKey localQueue = place.workload().localQueue();
      if (localQueue != null) {
        byLocalQueue.computeIfAbsent(localQueue, _ -> new ArrayList<>()).add(place);
      }
    }
    byLocalQueue.replaceAll((_, own) -> List.copyOf(own));
  }

  /**
   * The line of that queue.
   *
   * @param workloads finds each that waits there
   * @param usage of a LocalQueue; the same for all where LocalQueues do not share fairly
   */
  public static WaitingLine of(
      PendingQueue waiting,
      Function<ObjectKey, @Nullable WorkloadState> workloads,
      ToDoubleFunction<ObjectKey> usage) {
    Map<ObjectKey, Double> usages = new HashMap<>();
    List<Candidate> candidates = new ArrayList<>(waiting.size());
    for (QueuePosition position : waiting.positions()) {
      WorkloadState workload = workloads.apply(position.workload());
      ObjectKey localQueue = workload == null ? null : workload.localQueue();
      if (workload != null && localQueue != null) {
        double used = usages.computeIfAbsent(localQueue, usage::applyAsDouble);
        candidates.add(new Candidate(workload, localQueue, position, used));
      }
    }
    candidates.sort(
        Comparator.comparingDouble(Candidate::usage)
            .thenComparing(candidate -> !waiting.isSticky(candidate.workload().key()))
            .thenComparing(Candidate::position));
    return new WaitingLine(places(candidates, waiting));
  }

  private static List<Place> places(List<Candidate> candidates, PendingQueue waiting) {
    Map<ObjectKey, Integer> counts = new HashMap<>();
    List<Place> places = new ArrayList<>(candidates.size());
    for (Candidate candidate : candidates) {
      WorkloadState workload = candidate.workload();
      int inLocalQueue = counts.merge(candidate.localQueue(), 1, Integer::sum) - 1;
      places.add(
          new Place(workload, places.size(), inLocalQueue, waiting.isParked(workload.key())));
    }
    return places;
  }

  /** All, in order. */
  public List<Place> places() {
    return places;
  }

  /** Those of the LocalQueue, in order. */
  public List<Place> of(ObjectKey localQueue) {
    return byLocalQueue.getOrDefault(localQueue, List.of());
  }

  /**
   * A part of some places.
   *
   * @param offset how many are left out; less than 0 is none
   * @param limit how many there are at most; less than 0 is none
   */
  public static List<Place> page(List<Place> places, int offset, int limit) {
    int from = Math.clamp(offset, 0, places.size());
    int count = Math.clamp(limit, 0, places.size() - from);
    return places.subList(from, from + count);
  }

  /** Where the workload is, or null. */
  public @Nullable Place find(ObjectKey workload) {
    for (Place place : places) {
      if (place.workload().key().equals(workload)) {
        return place;
      }
    }
    return null;
  }
}
