package dev.sluice.quota.cycle;

import org.jspecify.annotations.Nullable;

/** In which order entries are processed. */
interface EntryOrder {
  /** The next of those that are left, given what was decided so far; null when none is left. */
  @Nullable Entry next();
}
