package dev.sluice.webhook.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.webhook.Texts;
import java.util.List;

/** The bodies that make the most of their bytes, as far as they are known. */
enum HostileBodies {
  EXPANDING("/convert", Texts.expanding("u", 8, 1)),
  WIDELY_EXPANDING("/convert", Texts.expanding("u", 8, 14)),
  MANY_EXPANDING("/convert", Texts.expanding("u", 60, 1)),
  EMPTY_LISTS("/convert", "[", "[],", "[]]"),
  NUMBERS("/convert", "[", "0,", "0]"),
  NUMBERS_AS_REQUEST("/convert", request("["), "0,", "0]}"),
  MEMBERS("/convert", conversion("[{"), "\"%s\":0,", "\"-\":0}]}}"),
  EMPTY_OBJECTS("/convert", conversion("["), "{},", "{}]}}"),
  LISTS_AS_OBJECTS("/convert", conversion("["), "[],", "[]]}}"),
  NUMBERS_AS_OBJECTS("/convert", conversion("["), "0,", "0]}}"),
  NESTED_OBJECTS("/convert", conversion("["), "{\"a\":{}},", "{}]}}"),
  DEEP("/convert", conversion("["), "[".repeat(240) + "]".repeat(240) + ",", "{}]}}"),
  ESCAPES("/convert", conversion("["), "\"" + "\\u00e9".repeat(100_000) + "\",", "0]}}"),
  LONG_NUMBERS("/convert", conversion("["), "-1" + "0".repeat(200) + "e-9,", "0]}}"),
  OBJECT_OF_LISTS("/convert", workload("\"preemptionGates\":["), "[],", "[]]}}]}}"),
  POD_SETS("/convert", workload("\"podSets\":["), "{\"name\":\"a\"},", "{}]}}]}}"),
  REVIEW_OF_OBJECTS(Texts.VALIDATE_TOPOLOGY, admission("\"levels\":["), "{\"a\":{}},", "{}]}}}}"),
  REVIEW_OF_LISTS(Texts.VALIDATE_COHORT, admission("\"resourceGroups\":["), "[],", "[]]}}}}");

  private static final int LENGTH = 39 << 20;

  private final String path;
  private final String begin;
  private final String piece;
  private final String end;

  HostileBodies(String path, String body) {
    this(path, body, "", "");
  }

  /** Some 39 MiB: as many pieces as there is room for, each with its number if it has a place. */
  HostileBodies(String path, String begin, String piece, String end) {
    this.path = path;
    this.begin = begin;
    this.piece = piece;
    this.end = end;
  }

  String path() {
    return path;
  }

  /** The body; made each time, since all of them together are half a gigabyte. */
  byte[] body() {
    int room = piece.isEmpty() ? 0 : LENGTH - begin.length() - end.length();
    return (begin + (piece.contains("%s") ? numbered(room) : repeated(room)) + end).getBytes(UTF_8);
  }

  private String repeated(int room) {
    return piece.isEmpty() ? "" : piece.repeat(room / piece.length());
  }

  private String numbered(int room) {
    StringBuilder pieces = new StringBuilder(room + piece.length());
    for (int i = 0; pieces.length() < room - piece.length() - Integer.SIZE; i++) {
      pieces.append(piece.replace("%s", Integer.toString(i, Character.MAX_RADIX)));
    }
    return pieces.toString();
  }

  private static String conversion(String objects) {
    String review = Texts.conversion("u", "kueue.x-k8s.io/v1beta1", List.of());
    return review.substring(0, review.indexOf("[]")) + objects;
  }

  private static String request(String request) {
    String review = conversion("");
    return review.substring(0, review.indexOf("{\"uid\"")) + request;
  }

  private static String workload(String spec) {
    return conversion("[")
        + "{\"apiVersion\":\"kueue.x-k8s.io/v1beta2\",\"kind\":\"Workload\","
        + "\"metadata\":{\"name\":\"w\"},\"spec\":{"
        + spec;
  }

  private static String admission(String spec) {
    return Texts.admission("u", "Topology", "CREATE", "\"object\":{\"spec\":{").replace("}}", "")
        + spec;
  }
}
