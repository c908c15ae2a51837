package dev.sluice.see.forecast;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Adjusts the bands of one ClusterQueue to what came true, so that eight of ten hold: conformal
 * prediction over the last {@value #WINDOW} starts. How far a start was from the middle, measured
 * in the width of that side of the band, is its score; about the tenth and the ninetieth percentile
 * of the scores say how far a band has to reach.
 *
 * <p>Loads come in waves, so the last starts are not like the next ones, and a fixed percentile
 * holds too often in one wave and too seldom in another. Therefore the percentile follows what
 * comes true (adaptive conformal inference): each start outside of what was said moves it out, and
 * each other start a ninth as far in. Not thread-safe.
 */
final class Calibration {
  private static final int WINDOW = 400;

  /** Fewer starts say too little. */
  private static final int LEAST = 20;

  /** The part of the starts that should be on each side of the band. */
  private static final double OUTSIDE = 0.1;

  /** Where the levels begin: what comes next differs a little from what was. */
  private static final double FIRST_LEVEL = 0.085;

  /** How far one start moves a level. */
  private static final double STEP = 0.01;

  private static final double LEAST_LEVEL = 0.01;
  private static final double MOST_LEVEL = 0.25;

  private final Deque<Double> scores = new ArrayDeque<>();
  private double levelBelow = FIRST_LEVEL;
  private double levelAbove = FIRST_LEVEL;
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

  /**
   * A Workload started after so many seconds.
   *
   * @param raw as the queues had been played forward
   * @param said the band that was said
   */
  void add(Band raw, Band said, double seconds) {
    if (!Double.isFinite(raw.middle())) {
      return;
    }
    if (scores.size() >= LEAST) {
      levelBelow = moved(levelBelow, seconds < said.early());
      levelAbove = moved(levelAbove, seconds > said.late());
    }
    double off = seconds - raw.middle();
    double upper = upper(raw);
    scores.addLast(off < 0 ? off / lower(raw) : Double.isFinite(upper) ? off / upper : 0);
    if (scores.size() > WINDOW) {
      scores.removeFirst();
    }
    if (scores.size() >= LEAST) {
      double[] sorted = scores.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      above = Math.max(0, quantile(sorted, 1 - levelAbove));
      below = Math.max(0, -quantile(sorted, levelBelow));
    }
  }

  /** A start outside widens the next bands by as much as nine within narrow them. */
  private static double moved(double level, boolean isOutside) {
    return Math.clamp(level + STEP * (OUTSIDE - (isOutside ? 1 : 0)), LEAST_LEVEL, MOST_LEVEL);
  }

  /** With the correction for few scores that conformal prediction makes. */
  private static double quantile(double[] sorted, double part) {
    double place = part * (sorted.length + 1) - 1;
    int index = part < 0.5 ? (int) Math.floor(place) : (int) Math.ceil(place);
    return sorted[Math.clamp(index, 0, sorted.length - 1)];
  }
}
