package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Aims at what is kept for each list, object and member of a body: as many as its bytes can hold,
 * where they are looked at and where nobody looks.
 */
final class Structures implements BodyGenerator {
  private static final List<String> ITEMS =
      List.of("[]", "{}", "{\"a\":{}}", "\"\"", "0", "[[]]", "{\"\":0}", "null", "[{}]");
  private static final int LARGE_EVERY = 12;

  @Override
  public String name() {
    return "structures";
  }

  @Override
  public Review draw(RandomGenerator random, long number, int most) {
    int room = number % LARGE_EVERY == 0 ? most : 1 + random.nextInt(Math.min(most, 256 << 10));
    String list = random.nextInt(3) == 0 ? members(room) : items(random, room);
    return switch (random.nextInt(5)) {
      case 0 -> Review.of(Depth.anyPath(random), list.getBytes(UTF_8));
      case 1 ->
          Review.conversion(
              "\"s\"",
              "\"" + ApiVersion.HUB.groupVersion() + "\"",
              list.substring(1, list.length() - 1));
      case 2 -> Review.conversion("s-" + number, ApiVersion.V1BETA1, List.of(workload(list)));
      default ->
          Review.admission(random, Review.pick(random, Route.ALL), workload(list), "null");
    };
  }

  private static String items(RandomGenerator random, int room) {
    String item = Review.pick(random, ITEMS) + ",";
    return "[" + item.repeat(room / item.length()) + "0]";
  }

  /** Different keys: equal ones are refused at the second. */
  private static String members(int room) {
    StringBuilder text = new StringBuilder(room + 32).append('{');
    for (int i = 0; text.length() < room; i++) {
      text.append('"').append(Integer.toString(i, 36)).append("\":0,");
    }
    return text.append("\"-\":0}").toString();
  }

  private static String workload(String list) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"s"},"spec":{\
    "podSets":%1$s},"status":{"admission":{"podSetAssignments":%1$s},"x":1}}\
    """
        .formatted(list.length() > 1 << 20 ? "[]" : list)
        .replace("\"x\":1", "\"x\":" + list);
  }
}
