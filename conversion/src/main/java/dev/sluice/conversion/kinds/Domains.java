package dev.sluice.conversion.kinds;

import dev.sluice.conversion.step.Work;
import dev.sluice.json.Excerpt;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSlice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The domains of a topology assignment, whichever form they were written in: a column of values for
 * each level, and how many pods each domain takes.
 */
final class Domains {
  /** Domains that are read or written before the clock is looked at. */
  private static final int AT_ONCE = 1 << 10;

  private static final int FIRST_ROOM = 8;
  private static final int LONGEST_SIZE = 18;

  private final String[][] columns;
  private final JsonSlice[] counts;
  private final int size;

  /**
   * Domains of these values and counts; the arrays belong to it from now on and may have room for
   * more.
   *
   * @param columns the values, by level and then by domain
   * @param counts the number of pods of each domain, as it was spelled
   * @param size how many domains there are
   */
  Domains(String[][] columns, JsonSlice[] counts, int size) {
    this.columns = columns;
    this.counts = counts;
    this.size = size;
  }

  /** No domains at all. */
  static Domains none() {
    return new Domains(new String[0][0], new JsonSlice[0], 0);
  }

  int size() {
    return size;
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

  /**
   * Reads the form that lists domains one by one.
   *
   * @throws Unreadable if it has another shape
   */
  static Domains readList(JsonObject assignment, Work work) throws Unreadable {
    JsonArray list = list(assignment, "domains", "");
    if (list.size() == 0) {
      return none();
    }
    int levels = countLevels(assignment);
    ListReader reader = new ListReader(levels);
    for (int i = 0; i < list.size(); i++) {
      goOn(i, work);
      String path = "domains[" + i + "]";
      reader.read(object(list.get(i), path), path);
    }
    return new Domains(reader.columns, reader.counts, reader.size);
  }

  /**
   * The path of the first thing in a list of domains that stands for nothing; null if there is
   * none.
   *
   * @throws Unreadable if it has another shape
   */
  static @Nullable String surplus(JsonObject assignment, Work work) throws Unreadable {
    JsonArray list = list(assignment, "domains", "");
    if (list.size() == 0) {
      return null;
    }
    int levels = countLevels(assignment);
    String surplus = null;
    for (int i = 0; i < list.size(); i++) {
      goOn(i, work);
      String path = "domains[" + i + "]";
      JsonObject domain = object(list.get(i), path);
      JsonArray values = values(domain, levels, path);
      for (int level = 0; level < levels; level++) {
        textSlice(values.get(level), path, ".values", level);
      }
      integer(domain.get("count"), path, ".count");
      if (values.size() > levels && surplus == null) {
        surplus = path + ".values";
      }
    }
    return surplus;
  }

  private static void goOn(int index, Work work) {
    if (index % AT_ONCE == 0) {
      work.goOn();
    }
  }

  private static JsonArray values(JsonObject domain, int levels, String path) throws Unreadable {
    JsonArray values = list(domain, "values", path + ".");
    if (values.size() < levels) {
      throw new Unreadable(
          path + ".values",
          "has %d items (expected: one for each of %d levels)".formatted(values.size(), levels));
    }
    return values;
  }

  /** Reads domains one after the other; takes no more room than what it has read needs. */
  private static final class ListReader {
    private String[][] columns;
    private JsonSlice[] counts = new JsonSlice[FIRST_ROOM];
    private final @Nullable JsonSlice[] last; // by level: the value that was read before
    private int size;

    private ListReader(int levels) {
      this.columns = new String[levels][FIRST_ROOM];
      this.last = new JsonSlice[levels];
    }

    private void read(JsonObject domain, String path) throws Unreadable {
      JsonArray values = values(domain, columns.length, path);
      makeRoom();
      for (int level = 0; level < columns.length; level++) {
        columns[level][size] = value(values.get(level), level, path);
      }
      counts[size] = integer(domain.get("count"), path, ".count");
      size++;
    }

    /** The value; neighbours that are written alike share one string. */
    private String value(Json value, int level, String path) throws Unreadable {
      JsonSlice before = last[level];
      if (before != null && value instanceof JsonSlice slice && slice.sameSpelling(before)) {
        return columns[level][size - 1];
      }
      String text = text(value, path, ".values", level);
      last[level] = (JsonSlice) value;
      return text;
    }

    private void makeRoom() {
      if (size == counts.length) {
        counts = Arrays.copyOf(counts, 2 * size);
        for (int level = 0; level < columns.length; level++) {
          columns[level] = Arrays.copyOf(columns[level], 2 * size);
        }
      }
    }
  }

  /** Writes the form that lists domains one by one. */
  JsonSlice writeList(Work work) {
    JsonOutput out = new JsonOutput();
    out.writeAscii("[");
    for (int i = 0; i < size(); i++) {
      goOn(i, work);
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
      text(levels.get(i), "", "levels", i);
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

  /** The string at this index of a list; its path is only put together if it is none. */
  static String text(Json value, String path, String key, int index) throws Unreadable {
    String text = value instanceof JsonSlice slice ? slice.text() : null;
    return text == null ? text(value, path + key + "[" + index + "]") : text;
  }

  /** The string as it is written. */
  static JsonSlice textSlice(Json value, String path) throws Unreadable {
    if (value instanceof JsonSlice slice && slice.type() == Json.Type.TEXT) {
      return slice;
    }
    throw new Unreadable(path, found(value) + " (expected: a string)");
  }

  /** The string at this index of a list, as it is written. */
  static JsonSlice textSlice(Json value, String path, String key, int index) throws Unreadable {
    return value instanceof JsonSlice slice && slice.type() == Json.Type.TEXT
        ? slice
        : textSlice(value, path + key + "[" + index + "]");
  }

  static JsonSlice integer(@Nullable Json value, String path, String key) throws Unreadable {
    if (value instanceof JsonSlice slice && slice.isInteger()) {
      return slice;
    }
    throw new Unreadable(path + key, found(value) + " (expected: an integer)");
  }

  /** The integer at this index of a list; its path is only put together if it is none. */
  static JsonSlice integer(Json value, String path, String key, int index) throws Unreadable {
    return value instanceof JsonSlice slice && slice.isInteger()
        ? slice
        : integer(value, path, key + "[" + index + "]");
  }

  /**
   * A number of things.
   *
   * @throws Unreadable if it is no integer from 0 to the most there may be
   */
  static int size(@Nullable Json value, int most, String path) throws Unreadable {
    String spelling = integer(value, path, "").spelling();
    long size = spelling.length() > LONGEST_SIZE ? -1 : Long.parseLong(spelling);
    if (size < 0 || size > most) {
      throw new Unreadable(path, "is %s (expected: 0 to %d)".formatted(Excerpt.of(spelling), most));
    }
    return (int) size;
  }

  private static String found(@Nullable Json value) {
    return value == null ? "is missing" : "is " + value.type().words();
  }
}
