package dev.sluice.bench.report;

/** How a cell was loaded. */
public sealed interface Load {
  /** On one thread, without a server. */
  record InMemory() implements Load {}

  /** This many requests in flight all the time. */
  record InFlight(int requests) implements Load {}

  /** This many requests a second, come what may. */
  record AtRate(int perSecond) implements Load {}

  /** In words, for tables. */
  default String words() {
    return switch (this) {
      case InMemory _ -> "in memory, 1 thread";
      case InFlight inFlight -> inFlight.requests() + " in flight";
      case AtRate rate -> "%,d/s".formatted(rate.perSecond());
    };
  }
}
