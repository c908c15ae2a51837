package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.api.ApiVersion;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Targets what the server keeps for each list, object and member of a body: as many as its bytes
 * can hold, in places that rules read and in places that they do not read.
 */
final class Structures implements BodyGenerator {
  private static final List<String> ITEMS =
      List.of("[]", "{}", "{\"a\":{}}", "\"\"", "0", "[[]]", "{\"\":0}", "null", "[{}]");
  private static final int LARGE_EVERY = 12;

  /** Stands for the list, which may be large: it is put in as bytes. */
  private static final String HERE = "@list@";

  @Override
  public String name() {
    return "structures";
  }

  @Override
  public Review draw(RandomGenerator random, long number, int most) {
    int room = number % LARGE_EVERY == 0 ? most : 1 + random.nextInt(Math.min(most, 256 << 10));
    byte[] list = random.nextInt(3) == 0 ? members(room) : items(random, room);
    String version = "\"" + ApiVersion.HUB.groupVersion() + "\"";
    return switch (random.nextInt(5)) {
      case 0 -> Review.of(Depth.anyPath(random), list);
      case 1 -> Review.conversion("\"s\"", version, HERE).filled(HERE, list);
      case 2 -> Review.conversion("\"s\"", version, workload(random)).filled(HERE, list);
      default ->
          Review.admission(random, Review.pick(random, Route.ALL), workload(random), "null")
              .filled(HERE, list);
    };
  }

  private static byte[] items(RandomGenerator random, int room) {
    byte[] item = (Review.pick(random, ITEMS) + ",").getBytes(ISO_8859_1);
    var list = new ByteArrayOutputStream(room + 64);
    list.write('[');
    while (list.size() < room) {
      list.writeBytes(item);
    }
    list.writeBytes("0]".getBytes(ISO_8859_1));
    return list.toByteArray();
  }

  /** Different keys: equal ones are refused at the second. */
  private static byte[] members(int room) {
    var object = new ByteArrayOutputStream(room + 64);
    object.write('{');
    for (int i = 0; object.size() < room; i++) {
      object.writeBytes(("\"" + Integer.toString(i, 36) + "\":0,").getBytes(ISO_8859_1));
    }
    object.writeBytes("\"-\":0}".getBytes(ISO_8859_1));
    return object.toByteArray();
  }

  /** A Workload with the list in a place that rules read, or in one that they do not read. */
  private static String workload(RandomGenerator random) {
    String place = Review.pick(random, List.of("PODSETS", "ASSIGNMENTS", "UNREAD", "LABELS"));
    return """
    {"apiVersion":"kueue.x-k8s.io/v1beta1","kind":"Workload","metadata":{"name":"s","labels":LABELS},\
    "spec":{"podSets":PODSETS},"status":{"admission":{"podSetAssignments":ASSIGNMENTS},\
    "x":UNREAD}}\
    """
        .replace(place, HERE)
        .replaceAll("[A-Z]{6,}", "[]");
  }
}
