package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Aims at the reading of text: long strings, keys and numbers, escapes, bytes that are no UTF-8,
 * keys that stand twice, and good reviews that are cut, spliced or changed in a byte.
 */
final class Spelling implements BodyGenerator {
  /** Longer than any text may be. */
  private static final int LONG = (4 << 20) + 100;

  private static final List<String> BROKEN =
      List.of(
          "\u00ff",
          "\u00c0\u0080",
          "\u00ed\u00a0\u0080",
          "\u00f4\u0090\u0080\u0080",
          "\u00e2\u0082",
          "\u00ef\u00bb\u00bf",
          "\u0000",
          "\u001b[31m",
          "\\ud800",
          "\\u0000",
          "\\x",
          "\\",
          "\"",
          "\\u12");
  private static final List<String> NUMBERS =
      List.of(
          "1e9999",
          "-1e-9999",
          "1E+400",
          "-0",
          "00",
          "+1",
          ".5",
          "5.",
          "0x1",
          "NaN",
          "-",
          "1e",
          "Infinity");

  @Override
  public String name() {
    return "spelling";
  }

  @Override
  public Review draw(RandomGenerator random, long number, int most) {
    Review good = good(random, number, most);
    byte[] bytes = good.bytes();
    return random.nextInt(3) > 0 ? good : Review.of(good.path(), edited(random, bytes));
  }

  private static Review good(RandomGenerator random, long number, int most) {
    int room =
        random.nextInt(20) == 0
            ? Math.min(most / 8, LONG)
            : Math.min(most, 1 << random.nextInt(14));
    String value = value(random, room);
    String object =
        """
        {"apiVersion":"kueue.x-k8s.io/v1alpha1","kind":"Cohort","metadata":{"name":%1$s,\
        "annotations":{%2$s:%1$s}},"spec":{"parent":%1$s,"x":%1$s%3$s}}\
        """
            .formatted(
                value,
                value.startsWith("\"") ? value : "\"k\"",
                random.nextInt(6) == 0 ? ",\"x\":1,\"\\u0078\":2" : "");
    if (random.nextBoolean()) {
      return Review.of(
          Review.CONVERT,
          raw(Review.conversion("t-" + number, ApiVersion.HUB, List.of(object)).bytes()));
    }
    Route route = Review.pick(random, Route.ALL);
    return Review.of(route.path(), raw(Review.admission(random, route, object, "null").bytes()));
  }

  /** What was written as Latin-1 becomes the bytes that it means: also those no UTF-8 has. */
  private static byte[] raw(byte[] utf8) {
    return new String(utf8, UTF_8).getBytes(ISO_8859_1);
  }

  private static String value(RandomGenerator random, int room) {
    return switch (random.nextInt(5)) {
      case 0 -> "\"" + "z".repeat(room) + "\"";
      case 1 -> "\"" + "\\u00e9\\n".repeat(room / 8 + 1) + "\"";
      case 2 -> "\"a" + Review.pick(random, BROKEN) + "b\"";
      case 3 -> Review.pick(random, NUMBERS);
      default -> "1" + "0".repeat(Math.min(room, 300 + random.nextInt(5000)));
    };
  }

  static byte[] edited(RandomGenerator random, byte[] bytes) {
    byte[] changed = bytes.clone();
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(4)) {
      case 0 -> changed[at] = (byte) random.nextInt(256);
      case 1 -> changed[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> changed = java.util.Arrays.copyOf(bytes, at);
      default -> {
        int to = random.nextInt(bytes.length);
        System.arraycopy(bytes, Math.min(at, to), changed, at, bytes.length - Math.max(at, to));
      }
    }
    return changed;
  }
}
