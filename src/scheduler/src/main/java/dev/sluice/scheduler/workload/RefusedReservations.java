package dev.sluice.scheduler.workload;

import dev.sluice.api.meta.ObjectKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reservations that the quota fence of the webhook server refuses repeatedly, although the engine
 * decides the same again: without a report it would be unknown why the Workload is pending. A
 * single refusal is normal when two reservations are made at the same time. Thread-safe.
 */
final class RefusedReservations {
  private static final int FIRST = 3;

  /** At one round in two seconds, half an hour. */
  private static final int EVERY = 900;

  /** The number of consecutive refusals by Workload. */
  private final Map<ObjectKey, Integer> rounds = new ConcurrentHashMap<>();

  /** Records another refusal; returns whether to report it now. */
  boolean again(ObjectKey workload) {
    return rounds.merge(workload, 1, Integer::sum) % EVERY == FIRST;
  }

  /** The reservation is stored, or no longer needed. */
  void settled(ObjectKey workload) {
    rounds.remove(workload);
  }
}
