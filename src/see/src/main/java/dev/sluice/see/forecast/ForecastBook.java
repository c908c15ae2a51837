package dev.sluice.see.forecast;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The present forecasts, and what became of earlier ones. The first window that was forecast for a
 * Workload is compared with its start; that is its score, and it adjusts the next bands of the
 * ClusterQueue. Thread-safe.
 */
public final class ForecastBook {
  private static final int MOST_OPEN = 50_000;
  private static final int MOST_SCORED = 1_000;
  private static final Duration OLDEST = Duration.ofDays(7);
  private static final double[] PARTS = {0.1, 0.5, 0.9};

  /** What is beyond the horizon counts as a week. */
  private static final double LATEST = 7 * 86_400.0;

  private final Map<String, Forecast> open =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Forecast> eldest) {
          return size() > MOST_OPEN;
        }
      };
  private final Map<String, Calibration> calibrations = new HashMap<>();
  private final Map<String, Deque<Scored>> scored = new TreeMap<>();
  private Map<ObjectKey, Forecast> present = Map.of();

  private record Scored(Instant at, boolean within, double error, double pinball) {}

  /** Takes in the forecasts of one moment, and adjusts their bands. */
  public synchronized void update(Map<ObjectKey, Forecast> forecasts) {
    Map<ObjectKey, Forecast> adjusted = new HashMap<>();
    forecasts.forEach(
        (key, raw) -> {
          Calibration calibration = calibrations.get(raw.clusterQueue());
          boolean isWindow = raw.status() == Forecast.Status.WINDOW;
          Forecast forecast =
              calibration == null || !isWindow ? raw : raw.with(calibration.adjusted(raw.raw()));
          adjusted.put(key, forecast);
          if (isWindow) {
            open.putIfAbsent(forecast.uid(), forecast);
          }
        });
    present = adjusted;
  }

  /** The present forecast for that Workload, or null. */
  public synchronized @Nullable Forecast find(ObjectKey key) {
    return present.get(key);
  }

  /** The present forecasts, each under its Workload; unmodifiable, and not changed any more. */
  public synchronized Map<ObjectKey, Forecast> present() {
    return Collections.unmodifiableMap(present);
  }

  /** Takes note of a line: a start gives a score, and the end of a Workload ends its forecast. */
  public synchronized void add(HistoryLine line) {
    if (line instanceof Transition transition) {
      Held held = transition.held();
      switch (transition.step()) {
        case RESERVED -> {
          Forecast forecast = open.remove(transition.subject().uid());
          if (forecast != null && held != null) {
            score(forecast, held.reserved());
          }
        }
        case FINISHED, GONE -> open.remove(transition.subject().uid());
        case QUEUED, ADMITTED, EVICTED, CHANGED, CONTINUED, RELEASED, OPEN -> {}
      }
    }
  }

  private void score(Forecast forecast, Instant start) {
    double seconds =
        Math.max(0, Duration.between(forecast.basis().asOf(), start).toMillis() / 1000.0);
    calibrations
        .computeIfAbsent(forecast.clusterQueue(), _ -> new Calibration())
        .add(forecast.raw(), seconds);
    Band band = forecast.band();
    double[] said = {band.early(), band.middle(), band.late()};
    double pinball = 0;
    for (int i = 0; i < PARTS.length; i++) {
      double off = seconds - Math.min(said[i], LATEST);
      pinball += (off >= 0 ? PARTS[i] * off : (PARTS[i] - 1) * off) / PARTS.length;
    }
    Deque<Scored> own = scored.computeIfAbsent(forecast.clusterQueue(), _ -> new ArrayDeque<>());
    own.addLast(new Scored(start, band.holds(seconds), Math.abs(seconds - band.middle()), pinball));
    Instant oldest = start.minus(OLDEST);
    while (own.size() > MOST_SCORED || own.getFirst().at().isBefore(oldest)) {
      own.removeFirst();
    }
  }

  /** The scores of each ClusterQueue that has any: of its last 1,000 starts, or of seven days. */
  public synchronized Map<String, Score> scores() {
    Map<String, Score> scores = new TreeMap<>();
    scored.forEach((queue, all) -> scores.put(queue, score(List.copyOf(all))));
    return scores;
  }

  /** The score of that ClusterQueue. */
  public synchronized Score score(String clusterQueue) {
    Deque<Scored> own = scored.get(clusterQueue);
    return own == null ? Score.NONE : score(List.copyOf(own));
  }

  private static Score score(List<Scored> all) {
    if (all.isEmpty()) {
      return Score.NONE;
    }
    double[] errors = all.stream().mapToDouble(Scored::error).sorted().toArray();
    return new Score(
        all.size(),
        (int) all.stream().filter(Scored::within).count(),
        errors[errors.length / 2],
        all.stream().mapToDouble(Scored::pinball).average().orElse(Double.NaN));
  }
}
