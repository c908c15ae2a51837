package dev.sluice.cli.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A scale from zero with ticks at round numbers.
 *
 * @param end the value at the far end
 * @param ticks where a label stands
 */
record Scale(double end, List<Tick> ticks) {
  private static final int TICKS = 4;
  private static final double[] SECONDS = {
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400
  };
  private static final double LONGEST_STEP = 86_400;

  Scale {
    ticks = List.copyOf(ticks);
  }

  /** A labelled place on the scale. */
  record Tick(double value, String label) {}

  /** A scale for amounts of a resource up to this one: cores, binary units of bytes, or a count. */
  static Scale ofAmounts(String resource, double most) {
    boolean bytes = resource.equals("memory") || resource.contains("storage");
    double unit = resource.equals("cpu") ? 1000 : 1;
    String suffix = "";
    double base = bytes ? 1024 : 1000;
    for (String next :
        bytes ? new String[] {"Ki", "Mi", "Gi", "Ti", "Pi"} : new String[] {"k", "M", "G", "T"}) {
      if (most < unit * base) {
        break;
      }
      unit *= base;
      suffix = next;
    }
    double step = roundStep(Math.max(most, unit) / unit / TICKS) * unit;
    List<Tick> ticks = new ArrayList<>();
    double end = Math.max(1, Math.ceil(most / step)) * step;
    for (int i = 0; i * step <= end * 1.0001; i++) {
      ticks.add(new Tick(i * step, number(i * step / unit) + (i == 0 ? "" : suffix)));
    }
    return new Scale(end, ticks);
  }

  /** The next of 1, 2, 2.5 and 5 times a power of ten. */
  private static double roundStep(double step) {
    double power = Math.pow(10, Math.floor(Math.log10(step)));
    for (double factor : new double[] {1, 2, 2.5, 5}) {
      if (step <= factor * power * 1.0001) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    return text.replaceAll("\\.?0+$", "");
  }

  /** A scale for so many seconds from the beginning. */
  static Scale ofSeconds(double most) {
    double step = Math.ceil(most / 8 / LONGEST_STEP) * LONGEST_STEP;
    for (double candidate : SECONDS) {
      if (most / candidate <= 8) {
        step = candidate;
        break;
      }
    }
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i * step <= most; i++) {
      ticks.add(new Tick(i * step, i == 0 ? "0" : duration((long) (i * step))));
    }
    return new Scale(most, ticks);
  }

  private static String duration(long seconds) {
    StringBuilder text = new StringBuilder("+");
    long[] units = {86_400, 3600, 60, 1};
    String[] names = {"d", "h", "m", "s"};
    long rest = seconds;
    for (int i = 0; i < units.length; i++) {
      if (rest >= units[i]) {
        text.append(rest / units[i]).append(names[i]);
        rest %= units[i];
      }
    }
    return text.toString();
  }

  /** A scale for so many cycles. */
  static Scale ofCycles(int most) {
    int step = (int) Math.max(1, roundStep(most / 8.0));
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i <= most; i += step) {
      ticks.add(new Tick(i, String.valueOf(i)));
    }
    return new Scale(most, ticks);
  }
}
