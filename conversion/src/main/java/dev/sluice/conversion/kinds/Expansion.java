package dev.sluice.conversion.kinds;

import dev.sluice.api.workload.TopologyAssignmentSize;
import dev.sluice.conversion.step.Work;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import org.jspecify.annotations.Nullable;

/**
 * What slices stand for, computed from their sums before any of it is made: a few bytes can ask for
 * very many.
 *
 * <p>The bounds depend on nothing but the value itself, since the way back must find the same ones.
 */
final class Expansion {
  /** Domains of one assignment. */
  static final int MOST_DOMAINS = TopologyAssignmentSize.MAX_DOMAINS;

  /** Values of one assignment: as many domains as may be, of the most levels. */
  private static final long MOST_VALUES = 16L * MOST_DOMAINS;

  /**
   * Characters of the domains of one assignment written out one by one: eight times what an API
   * server can store of an object, and enough for the most domains with names of fifty characters.
   */
  private static final long MOST_CHARACTERS = 8L << 20;

  private static final int AROUND_A_VALUE = "\"\",".length();
  private static final int AROUND_A_DOMAIN = "{\"count\":,\"values\":[]},".length();

  // measured with the smallest heap in which an assignment was converted, and rounded up; see
  // docs/contributing/benchmarks.md
  private static final int HEAP_A_DOMAIN = 80;
  private static final int HEAP_A_VALUE = 10;
  private static final int HEAP_AN_OWN_VALUE = 64; // one that is not the same for all domains
  private static final int HEAP_A_BYTE = 2;

  private final Work work;
  private int domains;
  private int levels;
  private long ownValues;
  private long characters;
  private long bytes;
  private @Nullable String surplus;

  private Expansion(Work work) {
    this.work = work;
  }

  /**
   * Looks through the compressed form.
   *
   * @throws Unreadable if it has another shape, or stands for more than can be
   */
  static Expansion of(JsonObject assignment, Work work) throws Unreadable {
    Expansion expansion = new Expansion(work);
    JsonArray slices = Domains.list(assignment, "slices", "");
    if (slices.size() > 0) {
      expansion.levels = Domains.countLevels(assignment);
      expansion.look(slices);
    }
    return expansion;
  }

  int domains() {
    return domains;
  }

  int levels() {
    return levels;
  }

  /** The path of the first thing that stands for nothing; null if there is none. */
  @Nullable String surplus() {
    return surplus;
  }

  /** Takes the memory for writing the domains out one by one, and for looking at them again. */
  void takeRoom() {
    long way =
        domains * (HEAP_A_DOMAIN + (long) HEAP_A_VALUE * levels)
            + HEAP_AN_OWN_VALUE * ownValues
            + HEAP_A_BYTE * bytes;
    work.expand(bytes, way);
  }

  private void look(JsonArray slices) throws Unreadable {
    int[] sizes = sizes(slices);
    domains = total(sizes, levels);
    for (int i = 0; i < sizes.length; i++) {
      work.goOn();
      look(Domains.object(slices.open(i), at(i)), sizes[i], at(i));
    }
  }

  /** The size of the slice at this index, once the slices were looked at. */
  static int size(JsonObject slice) throws Unreadable {
    return Domains.size(slice.get("domainCount"), MOST_DOMAINS, "domainCount");
  }

  private static int[] sizes(JsonArray slices) throws Unreadable {
    int[] sizes = new int[slices.size()];
    for (int i = 0; i < sizes.length; i++) {
      String path = at(i) + ".domainCount";
      JsonObject slice = Domains.object(slices.open(i), at(i));
      sizes[i] = Domains.size(slice.get("domainCount"), MOST_DOMAINS, path);
    }
    return sizes;
  }

  private static int total(int[] sizes, int levels) throws Unreadable {
    long total = 0;
    for (int size : sizes) {
      total += size;
    }
    if (total > MOST_DOMAINS) {
      throw new Unreadable(
          "slices", "stand for %d domains (expected: at most %d)".formatted(total, MOST_DOMAINS));
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

  private void look(JsonObject slice, int size, String path) throws Unreadable {
    JsonArray values = Domains.list(slice, "valuesPerLevel", path + ".");
    if (values.size() < levels) {
      throw new Unreadable(
          path + ".valuesPerLevel",
          "has %d items (expected: one for each of %d levels)".formatted(values.size(), levels));
    }
    noteSurplus(size == 0 || values.size() > levels, path);
    for (int level = 0; level < levels; level++) {
      String at = path + ".valuesPerLevel[" + level + "]";
      lookAtLevel(Domains.object(values.open(level), at), size, at);
    }
    lookAtCounts(
        Domains.object(slice.open("podCounts"), path + ".podCounts"), size, path + ".podCounts");
  }

  private void lookAtLevel(JsonObject values, int size, String path) throws Unreadable {
    Json universal = values.get("universal");
    if (universal != null) {
      noteSurplus(values.has("individual"), path);
      JsonSlice text = Domains.textSlice(universal, path + ".universal");
      count(size, text.textLength() + AROUND_A_VALUE, text.length() + 1L);
      return;
    }
    String at = path + ".individual";
    JsonObject individual = Domains.object(values.open("individual"), at);
    around(individual, "prefix", at, size);
    around(individual, "suffix", at, size);
    JsonArray roots = enough(Domains.list(individual, "roots", at + "."), size, at + ".roots");
    count(size, AROUND_A_VALUE, AROUND_A_VALUE);
    ownValues += size;
    for (int i = 0; i < size; i++) {
      JsonSlice root = Domains.textSlice(roots.get(i), at, ".roots", i);
      count(1, root.textLength(), root.length());
    }
  }

  private void around(JsonObject individual, String key, String path, int size) throws Unreadable {
    Json value = individual.get(key);
    if (value != null) {
      JsonSlice text = Domains.textSlice(value, path + "." + key);
      count(size, text.textLength(), text.length());
    }
  }

  private void lookAtCounts(JsonObject podCounts, int size, String path) throws Unreadable {
    Json universal = podCounts.get("universal");
    if (universal != null) {
      noteSurplus(podCounts.has("individual"), path);
      long length =
          AROUND_A_DOMAIN + (long) Domains.integer(universal, path, ".universal").length();
      count(size, length, length);
      return;
    }
    JsonArray individual =
        enough(Domains.list(podCounts, "individual", path + "."), size, path + ".individual");
    for (int i = 0; i < size; i++) {
      JsonSlice count = Domains.integer(individual.get(i), path, ".individual", i);
      long length = AROUND_A_DOMAIN + (long) count.length();
      count(1, length, length);
    }
  }

  /**
   * Counts what is written so many times.
   *
   * @param length its characters
   * @param encoded at least its bytes
   */
  private void count(long times, long length, long encoded) throws Unreadable {
    characters += times * length;
    bytes += times * encoded;
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
          path, "has %d items (expected: one for each of %d domains)".formatted(list.size(), size));
    }
    noteSurplus(list.size() > size, path);
    return list;
  }

  private void noteSurplus(boolean there, String path) {
    if (there && surplus == null) {
      surplus = path;
    }
  }
}
