package dev.sluice.testkit.random;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Strings of the shapes that Kubernetes asks for. Lengths are in characters as an API server counts
 * them, which are code points. Patterns are known by their text: there is a generator for each, and
 * none for any other.
 */
final class Strings {
  private static final int ROOM = 24;
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";
  private static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final String DIGITS = "0123456789";
  private static final String LOWER = LETTERS + DIGITS;
  private static final String MIXED = LETTERS + CAPITALS + DIGITS;
  private static final List<String> WORDS =
      List.of(
          "a", "Queue", "quota", "größe", "日本", "🚢", "e\u0301", "\"", "\\", "/", "\n", "\t", "<&>",
          "\u2028", "null", "0", "{}", "\u007f", "Ω");
  private static final List<String> QUANTITIES =
      List.of(
          "0",
          "1",
          "10",
          "500m",
          "1Gi",
          "1.5Gi",
          "0.10",
          "1e3",
          "1E3",
          "1e-3",
          "2E+2",
          "+5",
          "-1",
          "-0",
          ".5",
          "5.",
          "12Ki",
          "3k",
          "4M",
          "7T",
          "9P",
          "1E",
          "1Ei",
          "100u",
          "100n",
          "007",
          "9223372036854775807",
          "1.000",
          "0.0000000001");
  private static final List<String> DOMAINS =
      List.of("example.com", "kueue.x-k8s.io", "cloud.provider.example", "k8s.io");

  private interface Shape {
    String draw(Strings strings, int least, int greatest);
  }

  private static final Map<String, Shape> SHAPES =
      Map.of(
          "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
          Strings::label,
          "^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$",
          Strings::kind,
          "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
          Strings::subdomain,
          "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
              + "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
          Strings::labelKey,
          "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
          Strings::reason,
          "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]"
              + "|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
          Strings::quantity);

  private final RandomGenerator random;

  Strings(RandomGenerator random) {
    this.random = random;
  }

  /** A string that satisfies pattern, format and lengths of the schema. */
  String matching(JsonNode schema, String path) {
    int least = schema.path("minLength").asInt(0);
    int greatest = schema.path("maxLength").asInt(Integer.MAX_VALUE);
    if (schema.has("pattern")) {
      String pattern = schema.get("pattern").asText();
      Shape shape = SHAPES.get(pattern);
      if (shape == null) {
        throw SchemaObjects.unknown(path, "pattern " + pattern);
      }
      return shape.draw(this, Math.max(1, least), greatest);
    }
    return formatted(schema.path("format").asText(), path, least, greatest);
  }

  private String formatted(String format, String path, int least, int greatest) {
    return switch (format) {
      case "" -> text(least, greatest);
      case "date-time" -> instant();
      case "date" -> instant().substring(0, 10);
      case "byte" -> Base64.getEncoder().encodeToString(randomBytes());
      case "int32", "int64" -> text(least, greatest); // of an int-or-string, for its other half
      default -> throw SchemaObjects.unknown(path, "format " + format);
    };
  }

  /** A moment of the years 2001 to 2033, to the second as Kubernetes writes it. */
  String instant() {
    return Instant.ofEpochSecond(random.nextLong(1_000_000_000L, 2_000_000_000L))
        .truncatedTo(ChronoUnit.SECONDS)
        .toString();
  }

  /** Any text: words, other scripts, quotes, line ends; also nothing at all. */
  String text(int least, int greatest) {
    int length = length(least, greatest);
    var text = new StringBuilder();
    for (int room = length; room > 0; ) {
      String word = WORDS.get(random.nextInt(WORDS.size()));
      int points = word.codePointCount(0, word.length());
      boolean fits = points <= room;
      text.append(fits ? word : "x");
      room -= fits ? points : 1;
    }
    return text.toString();
  }

  /** A label of a DNS name. */
  String label(int least, int greatest) {
    return wrapped(LOWER, LOWER + "-", LOWER, length(least, Math.min(greatest, 63)));
  }

  /** A DNS name, with or without dots. */
  String subdomain(int least, int greatest) {
    int length = length(least, Math.min(greatest, 253));
    var name = new StringBuilder(wrapped(LOWER, LOWER + "-", LOWER, length));
    for (int at = 2 + random.nextInt(8); at < length - 2; at += 2 + random.nextInt(12)) {
      boolean between = isAlphanumeric(name.charAt(at - 1)) && isAlphanumeric(name.charAt(at + 1));
      if (between && name.charAt(at - 1) != '.') {
        name.setCharAt(at, '.');
      }
    }
    return name.toString();
  }

  /** A label key: a name, perhaps behind a DNS name and a slash. */
  String labelKey(int least, int greatest) {
    String domain = DOMAINS.get(random.nextInt(DOMAINS.size())) + "/";
    int room = greatest - domain.length();
    if (random.nextBoolean() && room >= Math.max(1, least - domain.length())) {
      return domain + name(Math.max(1, least - domain.length()), room);
    }
    return name(least, greatest);
  }

  /** The value of a label, also an empty one. */
  String labelValue() {
    return random.nextInt(8) == 0 ? "" : name(1, 63);
  }

  /** The key of a map that holds labels, quantities or anything else. */
  String mapKey() {
    return random.nextInt(12) == 0 ? text(1, 12) : labelKey(1, 60);
  }

  private String name(int least, int greatest) {
    return wrapped(MIXED, MIXED + "-_.", MIXED, length(least, Math.min(greatest, 63)));
  }

  private String kind(int least, int greatest) {
    String letters = LETTERS + CAPITALS;
    return wrapped(letters, MIXED + "-", MIXED, length(least, Math.min(greatest, 63)));
  }

  private String reason(int least, int greatest) {
    return wrapped(LETTERS + CAPITALS, MIXED + "_,:", MIXED + "_", length(least, greatest));
  }

  private String quantity(int least, int greatest) {
    String quantity = QUANTITIES.get(random.nextInt(QUANTITIES.size()));
    if (quantity.length() >= least && quantity.length() <= greatest) {
      return quantity;
    }
    return "1".repeat(least);
  }

  private String wrapped(String first, String middle, String last, int length) {
    var text = new StringBuilder().append(pick(first));
    while (text.length() < length - 1) {
      text.append(pick(middle));
    }
    return text.length() < length ? text.append(pick(last)).toString() : text.toString();
  }

  private int length(int least, int greatest) {
    if (greatest <= 1024 && random.nextInt(40) == 0) {
      return greatest;
    }
    int room = Math.min(ROOM, greatest - least);
    return random.nextInt(10) == 0 ? least : least + random.nextInt(room + 1);
  }

  /** Never none: an API server takes the empty string for no bytes at all, and refuses it. */
  private byte[] randomBytes() {
    byte[] bytes = new byte[1 + random.nextInt(20)];
    random.nextBytes(bytes);
    return bytes;
  }

  private char pick(String characters) {
    return characters.charAt(random.nextInt(characters.length()));
  }

  private static boolean isAlphanumeric(char c) {
    return LOWER.indexOf(c) >= 0;
  }
}
