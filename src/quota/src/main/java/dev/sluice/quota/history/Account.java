package dev.sluice.quota.history;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.PersistentMap;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** The fading usage of one LocalQueue, as it was then; immutable. */
record Account(
    Map<String, BigDecimal> consumed,
    PersistentMap<ObjectKey, Map<String, BigDecimal>> penalties,
    Instant updated) {
  /** No usage so far. */
  Account(Instant updated) {
    this(Map.of(), PersistentMap.empty(), updated);
  }

  Account with(Map<String, BigDecimal> others, Instant at) {
    return new Account(others, penalties, at);
  }

  Account with(PersistentMap<ObjectKey, Map<String, BigDecimal>> others) {
    return new Account(consumed, others, updated);
  }

  /** The same as it is then, if that ran since. */
  Account at(Instant now, Decay decay, Map<String, BigDecimal> running) {
    Duration since = Duration.between(updated, now);
    return since.isPositive() ? with(decay.after(since, consumed, running), now) : this;
  }
}
