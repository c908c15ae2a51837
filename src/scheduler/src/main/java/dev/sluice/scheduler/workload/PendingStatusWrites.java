package dev.sluice.scheduler.workload;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.scheduler.engine.StatusUpdate;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What the engine decided and is not stored yet: the last of each Workload. Thread-safe. */
final class PendingStatusWrites {
  /**
   * A status update to store.
   *
   * @param attempts the number of failed attempts
   * @param due whether it may be sent now; updates that only inform users may have to wait
   */
  record Entry(StatusUpdate decided, int attempts, boolean due) {}

  private final Map<ObjectKey, Entry> entries = new ConcurrentHashMap<>();

  void put(StatusUpdate decided) {
    entries.merge(
        decided.workload(),
        new Entry(decided, 0, decided.isUrgent()),
        (old, fresh) ->
            new Entry(fresh.decided().since(old.decided()), 0, fresh.due() || old.due()));
  }

  /** It is time to store it; whether there is something to store. */
  boolean release(ObjectKey workload) {
    return entries.computeIfPresent(
            workload, (_, entry) -> new Entry(entry.decided(), entry.attempts(), true))
        != null;
  }

  Optional<Entry> find(ObjectKey workload) {
    return Optional.ofNullable(entries.get(workload));
  }

  /**
   * It was stored and its event sent. A later decision stays, and does not send the event again.
   */
  void stored(Entry entry) {
    entries.computeIfPresent(
        entry.decided().workload(),
        (_, now) ->
            now.equals(entry)
                ? null
                : new Entry(now.decided().without(entry.decided()), now.attempts(), now.due()));
  }

  /** Drops the update; a later decision stays. */
  void remove(Entry entry) {
    entries.remove(entry.decided().workload(), entry);
  }

  /** Records that many failures; returns their total. */
  int failed(Entry entry, int times) {
    Entry next = new Entry(entry.decided(), entry.attempts() + times, true);
    entries.replace(entry.decided().workload(), entry, next);
    return next.attempts();
  }

  int size() {
    return entries.size();
  }
}
