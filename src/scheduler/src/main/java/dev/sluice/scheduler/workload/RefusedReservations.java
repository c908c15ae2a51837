package dev.sluice.scheduler.workload;

import dev.sluice.api.meta.ObjectKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reservations that are a conflict with those of others, however often they are decided anew: the
 * quota fence of the webhook server and the engine differ, and nobody but them would know why the
 * Workload waits. Once is a matter of course, when two were decided at a time. Thread-safe.
 */
final class RefusedReservations {
  private static final int FIRST = 3;

  /** At one round in two seconds, half an hour. */
  private static final int EVERY = 900;

  /** Of those that are in dispute now: how many times in a row. */
  private final Map<ObjectKey, Integer> rounds = new ConcurrentHashMap<>();

  /** Was refused once more; whether it is to be told now. */
  boolean again(ObjectKey workload) {
    return rounds.merge(workload, 1, Integer::sum) % EVERY == FIRST;
  }

  /** It is stored, or nobody asks for it any more. */
  void settled(ObjectKey workload) {
    rounds.remove(workload);
  }
}
