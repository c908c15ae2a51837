package dev.sluice.cli.hostile;

import dev.sluice.testkit.json.SpelledJson;
import dev.sluice.testkit.json.SpelledJson.JsonNumber;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.json.SpelledJson.JsonText;
import dev.sluice.testkit.random.Mutations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Values, members, numbers and texts that no schema expects, as JSON text: drawn once, by the edits
 * of {@link Mutations}, and then picked.
 */
final class Wild {
  private static final int DRAWN = 4_000;
  private static final List<String> MEMBERS = new ArrayList<>();
  private static final List<String> VALUES = new ArrayList<>();
  private static final List<String> NUMBERS = new ArrayList<>();
  private static final List<String> TEXTS = new ArrayList<>();

  static {
    RandomGenerator random = Body.random(0, "wild", 0);
    for (int i = 0; i < DRAWN; i++) {
      Mutations.mutate(random, new JsonObject(Map.of())).members().forEach(Wild::add);
    }
  }

  private Wild() {}

  private static void add(String key, SpelledJson value) {
    String text = value.write();
    MEMBERS.add(new JsonText(key).write() + ":" + text);
    VALUES.add(text);
    if (value instanceof JsonNumber) {
      NUMBERS.add(text);
    } else if (value instanceof JsonText) {
      TEXTS.add(text);
    }
  }

  /** A key and a value. */
  static String member(RandomGenerator random) {
    return Review.pick(random, MEMBERS);
  }

  /** Any value. */
  static String value(RandomGenerator random) {
    return Review.pick(random, VALUES);
  }

  /** A number beyond 64 bits, or oddly spelled, or small. */
  static String number(RandomGenerator random) {
    return Review.pick(random, NUMBERS);
  }

  /** A string of any characters. */
  static String text(RandomGenerator random) {
    return Review.pick(random, TEXTS);
  }
}
