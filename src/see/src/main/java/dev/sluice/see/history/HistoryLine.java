package dev.sluice.see.history;

import java.time.Instant;

/** One line of a history. Immutable, like all that implement it. */
public sealed interface HistoryLine permits Transition, QuotaChange, Gap {
  /** When it happened, which may be long before it was seen. */
  Instant at();
}
