package dev.sluice.bench.forecast;

import java.util.List;
import java.util.Locale;

/** The results of trials as a table of Markdown. */
public final class ForecastTable {
  private ForecastTable() {}

  /** One row for each trial, in that order. */
  public static String of(List<TrialResult> results) {
    StringBuilder text = new StringBuilder();
    text.append(
        "| load | seed | starts | within the band | median wait | width | error |"
            + " to position | to limits |\n");
    text.append("|---|---|---|---|---|---|---|---|---|\n");
    for (TrialResult it : results) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %d | %d | %.0f %% | %s | %s | %s | %.2f | %.2f |%n",
              it.family().text(),
              it.seed(),
              it.starts(),
              100 * it.coverage(),
              minutes(it.waited()),
              minutes(it.width()),
              minutes(it.error()),
              it.error() / it.byPosition(),
              it.error() / it.byLimits()));
    }
    return text.toString();
  }

  private static String minutes(double seconds) {
    return String.format(Locale.ROOT, "%.1f min", seconds / 60);
  }
}
