package dev.sluice.conversion.kinds;

import dev.sluice.conversion.step.Work;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSlice;
import java.util.Arrays;

/**
 * The compressed form of a topology assignment: slices of neighbouring domains in which what all
 * share is written once. Slices are an encoding: any partition means the same domains.
 */
final class Slices {
  /** Domains in one slice. */
  private static final int MOST_IN_SLICE = 100_000;

  private Slices() {}

  /**
   * Reads the compressed form.
   *
   * @param work asked for the memory that the domains take before they are made
   * @throws Unreadable if it has another shape, or stands for more domains than can be
   */
  static Domains read(JsonObject assignment, Work work) throws Unreadable {
    Expansion expansion = Expansion.of(assignment, work);
    JsonArray slices = Domains.list(assignment, "slices", "");
    if (slices.size() == 0) {
      return Domains.none();
    }
    expansion.takeRoom();
    Reader reader = new Reader(expansion);
    for (int i = 0; i < slices.size(); i++) {
      work.goOn();
      reader.read(Domains.object(slices.open(i), "slices"));
    }
    return new Domains(reader.columns, reader.counts, reader.filled);
  }

  /** Reads slices one after the other into the columns; an {@link Expansion} looked at them. */
  private static final class Reader {
    private final String[][] columns;
    private final JsonSlice[] counts;
    private int filled;

    private Reader(Expansion expansion) {
      this.columns = new String[expansion.levels()][expansion.domains()];
      this.counts = new JsonSlice[expansion.domains()];
    }

    private void read(JsonObject slice) throws Unreadable {
      int size = Expansion.size(slice);
      JsonArray values = Domains.list(slice, "valuesPerLevel", "");
      for (int level = 0; level < columns.length; level++) {
        readLevel(Domains.object(values.open(level), "valuesPerLevel"), columns[level], size);
      }
      readCounts(Domains.object(slice.open("podCounts"), "podCounts"), size);
      filled += size;
    }

    private void readLevel(JsonObject values, String[] column, int size) throws Unreadable {
      Json universal = values.get("universal");
      if (universal != null) {
        Arrays.fill(column, filled, filled + size, Domains.text(universal, "universal"));
        return;
      }
      JsonObject individual = Domains.object(values.open("individual"), "individual");
      String prefix = optional(individual, "prefix");
      String suffix = optional(individual, "suffix");
      JsonArray roots = Domains.list(individual, "roots", "");
      for (int i = 0; i < size; i++) {
        String root = Domains.text(roots.get(i), "roots");
        column[filled + i] = prefix.isEmpty() && suffix.isEmpty() ? root : prefix + root + suffix;
      }
    }

    private void readCounts(JsonObject podCounts, int size) throws Unreadable {
      Json universal = podCounts.get("universal");
      if (universal != null) {
        JsonSlice count = Domains.integer(universal, "podCounts", "");
        Arrays.fill(counts, filled, filled + size, count);
        return;
      }
      JsonArray individual = Domains.list(podCounts, "individual", "");
      for (int i = 0; i < size; i++) {
        counts[filled + i] = Domains.integer(individual.get(i), "podCounts", "");
      }
    }

    private static String optional(JsonObject individual, String key) throws Unreadable {
      Json value = individual.get(key);
      return value == null ? "" : Domains.text(value, key);
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
