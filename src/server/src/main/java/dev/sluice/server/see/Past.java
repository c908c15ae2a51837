package dev.sluice.server.see;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.see.forecast.Forecast;
import dev.sluice.see.forecast.KnownRuns;
import dev.sluice.see.forecast.Score;
import dev.sluice.server.history.HistoryPages;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What a server remembers, and what it forecasts from that. Safe for many threads. */
interface Past {
  /** That of a server that keeps no history. */
  Past NONE =
      new Past() {
        @Override
        public Optional<HistoryPages> pages() {
          return Optional.empty();
        }

        @Override
        public Optional<Forecast> forecast(ObjectKey workload) {
          return Optional.empty();
        }

        @Override
        public Map<String, Score> scores() {
          return Map.of();
        }

        @Override
        public KnownRuns runs(Instant now) {
          return KnownRuns.none(now);
        }
      };

  /** The lines of the history; empty where none is kept. */
  Optional<HistoryPages> pages();

  /** The last forecast for a Workload; empty for none yet, and for one that does not wait. */
  Optional<Forecast> forecast(ObjectKey workload);

  /** How good the forecasts of each ClusterQueue were. */
  Map<String, Score> scores();

  /** What is known of the run times of Workloads at that moment; for one thread. */
  KnownRuns runs(Instant now);
}
