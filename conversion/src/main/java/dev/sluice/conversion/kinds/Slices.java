package dev.sluice.conversion.kinds;

import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.json.JsonArray;
import dev.sluice.conversion.json.JsonObject;
import dev.sluice.conversion.json.JsonOutput;
import dev.sluice.conversion.json.JsonSlice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The compressed form of a topology assignment: slices of neighbouring domains in which what all
 * share is written once. Slices are an encoding: any partition means the same domains.
 */
final class Slices {
  /** Domains in one slice. */
  static final int MOST_IN_SLICE = 100_000;

  /** Values that slices may stand for together: as many domains as may be, of the most levels. */
  private static final long MOST_VALUES = 16L * Domains.MOST;

  /** Characters of the domains written out one by one; more would take more room than we have. */
  private static final long MOST_CHARACTERS = 32L << 20;

  private static final int AROUND_A_VALUE = "\"\",".length();
  private static final int AROUND_A_DOMAIN = "{\"count\":,\"values\":[]},".length();

  private Slices() {}

  /**
   * Reads the compressed form.
   *
   * @throws Unreadable if it has another shape, or stands for more domains than can be
   */
  static Domains read(JsonObject assignment) throws Unreadable {
    JsonArray slices = Domains.list(assignment, "slices", "");
    if (slices.size() == 0) {
      return Domains.none();
    }
    int levels = Domains.countLevels(assignment);
    int[] sizes = sizes(slices);
    int total = total(sizes, levels);
    Reader reader = new Reader(new String[levels][total], new JsonSlice[total]);
    for (int i = 0; i < sizes.length; i++) {
      reader.read(Domains.object(slices.open(i), at(i)), sizes[i], at(i));
    }
    return new Domains(reader.columns, reader.counts, reader.filled, reader.surplus);
  }

  /** The sizes of all slices, looked at before anything of that size is made. */
  private static int[] sizes(JsonArray slices) throws Unreadable {
    int[] sizes = new int[slices.size()];
    for (int i = 0; i < sizes.length; i++) {
      String path = at(i) + ".domainCount";
      JsonObject slice = Domains.object(slices.open(i), at(i));
      sizes[i] = Domains.size(slice.get("domainCount"), MOST_IN_SLICE, path);
    }
    return sizes;
  }

  private static int total(int[] sizes, int levels) throws Unreadable {
    long total = 0;
    for (int size : sizes) {
      total += size;
    }
    if (total > Domains.MOST) {
      throw new Unreadable(
          "slices", "stand for %d domains (expected: at most %d)".formatted(total, Domains.MOST));
    }
    if (total * levels > MOST_VALUES) {
      throw new Unreadable(
          "slices",
          "stand for %d domains of %d levels (expected: at most %d values)"
              .formatted(total, levels, MOST_VALUES));
    }
    return (int) total;
  }

  private static String at(int index) {
    return "slices[" + index + "]";
  }

  /** Reads slices one after the other into the columns. */
  private static final class Reader {
    private final String[][] columns;
    private final JsonSlice[] counts;
    private int filled;
    private long characters;
    private @Nullable String surplus;

    private Reader(String[][] columns, JsonSlice[] counts) {
      this.columns = columns;
      this.counts = counts;
    }

    private void read(JsonObject slice, int size, String path) throws Unreadable {
      JsonArray values = Domains.list(slice, "valuesPerLevel", path + ".");
      if (values.size() < columns.length) {
        throw new Unreadable(
            path + ".valuesPerLevel",
            "has %d items (expected: one for each of %d levels)"
                .formatted(values.size(), columns.length));
      }
      noteSurplus(size == 0 || values.size() > columns.length, path);
      for (int level = 0; level < columns.length; level++) {
        String at = path + ".valuesPerLevel[" + level + "]";
        readLevel(Domains.object(values.open(level), at), columns[level], size, at);
      }
      readCounts(
          Domains.object(slice.open("podCounts"), path + ".podCounts"), size, path + ".podCounts");
      filled += size;
    }

    private void readLevel(JsonObject values, String[] column, int size, String path)
        throws Unreadable {
      Json universal = values.get("universal");
      if (universal != null) {
        noteSurplus(values.has("individual"), path);
        String text = Domains.text(universal, path + ".universal");
        count(size, text.length() + AROUND_A_VALUE);
        Arrays.fill(column, filled, filled + size, text);
        return;
      }
      String at = path + ".individual";
      JsonObject individual = Domains.object(values.open("individual"), at);
      String prefix = optional(individual, "prefix", at);
      String suffix = optional(individual, "suffix", at);
      JsonArray roots = enough(Domains.list(individual, "roots", at + "."), size, at + ".roots");
      count(size, prefix.length() + suffix.length() + AROUND_A_VALUE);
      for (int i = 0; i < size; i++) {
        String root = Domains.text(roots.get(i), at, ".roots", i);
        column[filled + i] = prefix.isEmpty() && suffix.isEmpty() ? root : prefix + root + suffix;
        count(1, root.length());
      }
    }

    private void readCounts(JsonObject podCounts, int size, String path) throws Unreadable {
      Json universal = podCounts.get("universal");
      if (universal != null) {
        noteSurplus(podCounts.has("individual"), path);
        JsonSlice count = Domains.integer(universal, path, ".universal");
        count(size, count.length() + AROUND_A_DOMAIN);
        Arrays.fill(counts, filled, filled + size, count);
        return;
      }
      JsonArray individual =
          enough(Domains.list(podCounts, "individual", path + "."), size, path + ".individual");
      for (int i = 0; i < size; i++) {
        counts[filled + i] = Domains.integer(individual.get(i), path, ".individual", i);
        count(1, counts[filled + i].length() + AROUND_A_DOMAIN);
      }
    }

    private void count(long times, int length) throws Unreadable {
      characters += times * length;
      if (characters > MOST_CHARACTERS) {
        throw new Unreadable(
            "slices",
            "stand for domains of more than %d characters (expected: fewer)"
                .formatted(MOST_CHARACTERS));
      }
    }

    private JsonArray enough(JsonArray list, int size, String path) throws Unreadable {
      if (list.size() < size) {
        throw new Unreadable(
            path,
            "has %d items (expected: one for each of %d domains)".formatted(list.size(), size));
      }
      noteSurplus(list.size() > size, path);
      return list;
    }

    private static String optional(JsonObject individual, String key, String path)
        throws Unreadable {
      Json value = individual.get(key);
      return value == null ? "" : Domains.text(value, path + "." + key);
    }

    private void noteSurplus(boolean there, String path) {
      if (there && surplus == null) {
        surplus = path;
      }
    }
  }

  /**
   * Writes the compressed form: as few slices as there can be, each compressed as far as it goes.
   */
  static JsonSlice write(Domains domains) {
    JsonOutput out = new JsonOutput();
    out.writeAscii("[");
    for (int from = 0; from < domains.size(); from += MOST_IN_SLICE) {
      out.writeAscii(from == 0 ? "" : ",");
      int to = Math.min(domains.size(), from + MOST_IN_SLICE);
      write(domains, from, to, SliceForm.shortest(domains, from, to), out);
    }
    out.writeAscii("]");
    return out.toSlice();
  }

  /** Writes one slice in this form. */
  static void write(Domains domains, int from, int to, SliceForm form, JsonOutput out) {
    out.writeAscii("{\"domainCount\":" + (to - from) + ",\"podCounts\":{");
    if (form.universalCounts()) {
      out.writeAscii("\"universal\":");
      domains.count(from).writeTo(out);
    } else {
      out.writeAscii("\"individual\":");
      String separator = "[";
      for (int i = from; i < to; i++) {
        out.writeAscii(separator);
        domains.count(i).writeTo(out);
        separator = ",";
      }
      out.writeAscii("]");
    }
    out.writeAscii("},\"valuesPerLevel\":[");
    for (int level = 0; level < domains.levels(); level++) {
      out.writeAscii(level == 0 ? "" : ",");
      writeLevel(domains.column(level), from, to, form.levels().get(level), out);
    }
    out.writeAscii("]}");
  }

  private static void writeLevel(
      String[] column, int from, int to, SliceForm.Level form, JsonOutput out) {
    if (form.universal()) {
      out.writeAscii("{\"universal\":");
      out.writeText(column[from]);
      out.writeAscii("}");
      return;
    }
    out.writeAscii("{\"individual\":{");
    if (form.prefix() >= 0) {
      out.writeAscii("\"prefix\":");
      out.writeText(column[from].substring(0, form.prefix()));
      out.writeAscii(",");
    }
    int head = Math.max(0, form.prefix());
    int tail = Math.max(0, form.suffix());
    String separator = "\"roots\":[";
    for (int i = from; i < to; i++) {
      out.writeAscii(separator);
      out.writeText(column[i].substring(head, column[i].length() - tail));
      separator = ",";
    }
    out.writeAscii("]");
    if (form.suffix() >= 0) {
      out.writeAscii(",\"suffix\":");
      out.writeText(column[from].substring(column[from].length() - tail));
    }
    out.writeAscii("}}");
  }
}
