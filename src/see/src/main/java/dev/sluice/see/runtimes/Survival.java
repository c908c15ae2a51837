package dev.sluice.see.runtimes;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Which part of runs lasts longer than a time: the estimator of Kaplan and Meier (1958). A run that
 * was cut off, or still goes on, says only that it lasts longer than it was watched; it counts
 * among those at risk until then. Immutable.
 *
 * <p>Beyond the longest run that was watched, nothing is known. There the curve goes on as a Pareto
 * distribution: who has run for twice as long as anybody before may well run for as long again.
 */
public final class Survival {
  /** The exponent beyond the longest run: half of those that reach it last 1.4 times as long. */
  private static final double TAIL = 2;

  private static final double SHORTEST = 1;

  private final double[] times;
  private final double[] surviving;
  private final double longest;
  private final int ends;
  private final int samples;

  /**
   * A run.
   *
   * @param seconds how long it was watched
   * @param ended whether it came to its end then
   */
  public record Run(double seconds, boolean ended) {}

  private Survival(double[] times, double[] surviving, double longest, int ends, int samples) {
    this.times = times;
    this.surviving = surviving;
    this.longest = longest;
    this.ends = ends;
    this.samples = samples;
  }

  /** The estimate from those runs; ends before cut-offs of the same time. */
  public static Survival of(List<Run> runs) {
    List<Run> sorted =
        runs.stream()
            .sorted(Comparator.comparingDouble(Run::seconds).thenComparing(it -> !it.ended()))
            .toList();
    double[] times = new double[sorted.size()];
    double[] surviving = new double[sorted.size()];
    int steps = 0;
    int ends = 0;
    double left = 1;
    for (int i = 0; i < sorted.size(); i++) {
      Run run = sorted.get(i);
      if (run.ended()) {
        ends++;
        left *= 1 - 1.0 / (sorted.size() - i);
        if (steps > 0 && times[steps - 1] == run.seconds()) {
          steps--;
        }
        times[steps] = run.seconds();
        surviving[steps] = left;
        steps++;
      }
    }
    double longest = sorted.isEmpty() ? 0 : sorted.getLast().seconds();
    return new Survival(
        Arrays.copyOf(times, steps),
        Arrays.copyOf(surviving, steps),
        Math.max(longest, SHORTEST),
        ends,
        sorted.size());
  }

  /** How many runs came to their ends. */
  public int ends() {
    return ends;
  }

  /** How many runs there are, those that were cut off included. */
  public int samples() {
    return samples;
  }

  /** The part of the runs that lasts longer than so many seconds, as far as it is known. */
  public double after(double seconds) {
    int next = firstAfter(seconds);
    return next == 0 ? 1 : surviving[next - 1];
  }

  /** The first step later than that. */
  private int firstAfter(double seconds) {
    int found = Arrays.binarySearch(times, seconds);
    return found < 0 ? -found - 1 : found + 1;
  }

  /**
   * The run time in seconds that this part of all runs does not exceed that last longer than {@code
   * elapsed}.
   *
   * @param part at least 0, less than 1
   */
  public double quantile(double elapsed, double part) {
    double now = after(elapsed);
    double target = now * (1 - part);
    if (now > 0) {
      int low = firstAfter(elapsed);
      int high = times.length;
      while (low < high) { // they fall
        int middle = (low + high) >>> 1;
        if (surviving[middle] <= target + 1e-12) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      if (low < times.length) {
        return times[low];
      }
    }
    double begin = Math.max(longest, elapsed);
    double atBegin = now > 0 && elapsed < longest ? after(longest) : 1;
    double wanted = now > 0 && elapsed < longest ? target : 1 - part;
    return atBegin <= 0 || wanted <= 0
        ? begin
        : begin * Math.pow(Math.max(1, atBegin / wanted), 1 / TAIL);
  }
}
