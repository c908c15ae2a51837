package dev.sluice.conversion.kinds;

import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.json.JsonArray;
import dev.sluice.conversion.json.JsonObject;
import dev.sluice.conversion.json.JsonOutput;
import dev.sluice.conversion.json.JsonSlice;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The domains of a topology assignment, whichever form they were written in: a column of values for
 * each level, and how many pods each domain takes.
 */
final class Domains {
  /** Domains in one assignment; beyond it neither form is read, since so many would not fit. */
  static final int MOST = 1_000_000;

  private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,18}");

  private final String[][] columns;
  private final JsonSlice[] counts;
  private final @Nullable String surplus;

  /**
   * Domains of these values and counts; the arrays belong to it from now on.
   *
   * @param columns the values, by level and then by domain
   * @param counts the number of pods of each domain, as it was spelled
   * @param surplus the path of the first thing that was left unread because it stands for nothing;
   *     null if all was read
   */
  Domains(String[][] columns, JsonSlice[] counts, @Nullable String surplus) {
    this.columns = columns;
    this.counts = counts;
    this.surplus = surplus;
  }

  /** No domains at all. */
  static Domains none() {
    return new Domains(new String[0][0], new JsonSlice[0], null);
  }

  int size() {
    return counts.length;
  }

  int levels() {
    return columns.length;
  }

  /** The values of all domains at this level. */
  String[] column(int level) {
    return columns[level];
  }

  JsonSlice count(int domain) {
    return counts[domain];
  }

  @Nullable String surplus() {
    return surplus;
  }

  /**
   * Reads the form that lists domains one by one.
   *
   * @throws Unreadable if it has another shape
   */
  static Domains readList(JsonObject assignment) throws Unreadable {
    JsonArray list = list(assignment, "domains", "");
    if (list.size() == 0) {
      return none();
    }
    int levels = countLevels(assignment);
    String[][] columns = new String[levels][list.size()];
    JsonSlice[] counts = new JsonSlice[list.size()];
    String surplus = null;
    for (int i = 0; i < list.size(); i++) {
      String path = "domains[" + i + "]";
      JsonObject domain = object(list.open(i), path);
      JsonArray values = list(domain, "values", path + ".");
      if (values.size() < levels) {
        throw new Unreadable(
            path + ".values",
            "has %d items (expected: one for each of %d levels)".formatted(values.size(), levels));
      }
      if (values.size() > levels && surplus == null) {
        surplus = path + ".values";
      }
      for (int level = 0; level < levels; level++) {
        columns[level][i] = text(values.get(level), path + ".values[" + level + "]");
      }
      counts[i] = integer(domain.get("count"), path + ".count");
    }
    return new Domains(columns, counts, surplus);
  }

  /** Writes the form that lists domains one by one. */
  JsonSlice writeList() {
    JsonOutput out = new JsonOutput();
    out.writeAscii("[");
    for (int i = 0; i < size(); i++) {
      out.writeAscii(i == 0 ? "{\"count\":" : ",{\"count\":");
      counts[i].writeTo(out);
      out.writeAscii(",\"values\":[");
      for (int level = 0; level < columns.length; level++) {
        out.writeAscii(level == 0 ? "" : ",");
        out.writeText(columns[level][i]);
      }
      out.writeAscii("]}");
    }
    out.writeAscii("]");
    return out.toSlice();
  }

  /** The number of levels of the assignment, all of them strings. */
  static int countLevels(JsonObject assignment) throws Unreadable {
    JsonArray levels = list(assignment, "levels", "");
    for (int i = 0; i < levels.size(); i++) {
      text(levels.get(i), "levels[" + i + "]");
    }
    return levels.size();
  }

  static JsonArray list(JsonObject holder, String key, String prefix) throws Unreadable {
    JsonArray list = holder.array(key);
    if (list == null) {
      throw new Unreadable(prefix + key, found(holder.get(key)) + " (expected: a list)");
    }
    return list;
  }

  static JsonObject object(@Nullable Json value, String path) throws Unreadable {
    if (value != null && value.opened() instanceof JsonObject object) {
      return object;
    }
    throw new Unreadable(path, found(value) + " (expected: an object)");
  }

  static String text(@Nullable Json value, String path) throws Unreadable {
    String text = value instanceof JsonSlice slice ? slice.text() : null;
    if (text == null) {
      throw new Unreadable(path, found(value) + " (expected: a string)");
    }
    return text;
  }

  static JsonSlice integer(@Nullable Json value, String path) throws Unreadable {
    if (value instanceof JsonSlice slice
        && slice.type() == Json.Type.NUMBER
        && INTEGER.matcher(slice.spelling()).matches()) {
      return slice;
    }
    throw new Unreadable(path, found(value) + " (expected: an integer)");
  }

  private static String found(@Nullable Json value) {
    return value == null ? "is missing" : "is " + value.type().words();
  }
}
