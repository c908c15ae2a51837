package dev.sluice.see.forecast;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Adjusts the bands of one ClusterQueue to what came true, so that eight of ten hold: conformal
 * prediction over the last {@value #WINDOW} starts. How far a start was from the middle, measured
 * in the width of that side of the band, is its score; about the tenth and the ninetieth percentile
 * of the scores say how far a band has to reach. Not thread-safe.
 */
final class Calibration {
  private static final int WINDOW = 400;

  /** Fewer starts say too little. */
  private static final int LEAST = 20;

  /** Less than a tenth: what comes next differs a little from what was. */
  private static final double OUTSIDE = 0.085;

  private final Deque<Double> scores = new ArrayDeque<>();
  private double below = 1;
  private double above = 1;

  /** The band that would have held so often. */
  Band adjusted(Band raw) {
    if (!Double.isFinite(raw.middle())) {
      return raw;
    }
    double early = raw.middle() - below * lower(raw);
    double late = raw.middle() + above * upper(raw);
    return new Band(Math.clamp(early, 0, raw.middle()), raw.middle(), Math.max(late, raw.middle()));
  }

  /** A band of width zero says only that all plays agree. */
  private static double lower(Band raw) {
    return raw.middle() - raw.early() + slack(raw);
  }

  private static double upper(Band raw) {
    return raw.late() - raw.middle() + slack(raw);
  }

  private static double slack(Band raw) {
    return 1 + 0.05 * raw.middle();
  }

  /** The Workload of that band started after so many seconds. */
  void add(Band raw, double seconds) {
    if (!Double.isFinite(raw.middle())) {
      return;
    }
    double off = seconds - raw.middle();
    double upper = upper(raw);
    scores.addLast(off < 0 ? off / lower(raw) : Double.isFinite(upper) ? off / upper : 0);
    if (scores.size() > WINDOW) {
      scores.removeFirst();
    }
    if (scores.size() >= LEAST) {
      double[] sorted = scores.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      above = Math.max(0, quantile(sorted, 1 - OUTSIDE));
      below = Math.max(0, -quantile(sorted, OUTSIDE));
    }
  }

  /** With the correction for few scores that conformal prediction makes. */
  private static double quantile(double[] sorted, double part) {
    double place = part * (sorted.length + 1) - 1;
    int index = part < 0.5 ? (int) Math.floor(place) : (int) Math.ceil(place);
    return sorted[Math.clamp(index, 0, sorted.length - 1)];
  }
}
