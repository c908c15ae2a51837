package dev.sluice.server.see;

import dev.sluice.see.forecast.Arrivals;
import dev.sluice.see.forecast.ForecastBook;
import dev.sluice.see.forecast.KnownRuns;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.see.runtimes.RunTimes;
import java.time.Instant;

/** What the lines of a history teach about what comes. Safe for many threads. */
record Learned(RunTimes runTimes, Arrivals arrivals, ForecastBook book) {
  Learned() {
    this(new RunTimes(), new Arrivals(), new ForecastBook());
  }

  /** Takes in the next line. */
  void take(HistoryLine line) {
    runTimes.add(line);
    arrivals.add(line);
    book.add(line);
  }

  /** What is known of the run times of those Workloads at that moment; for one thread. */
  KnownRuns runs(HistoryTracker tracker, Instant now) {
    return new KnownRuns(runTimes.model(tracker.unfinished(), now), tracker::find);
  }
}
