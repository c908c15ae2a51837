package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Aims at the stack: lists and objects within each other, closed or not, as the body, in the
 * envelope and in an object.
 */
final class Depth implements BodyGenerator {
  private static final List<String> OPENINGS = List.of("[", "{\"a\":", "[{\"\":", "[[],");
  private static final List<String> CLOSINGS = List.of("]", "}", "}]", "]");

  @Override
  public String name() {
    return "depth";
  }

  @Override
  public Review draw(RandomGenerator random, long number, int most) {
    int shape = random.nextInt(OPENINGS.size());
    int deepest = Math.max(2, most / 8);
    int depth =
        switch (random.nextInt(3)) {
          case 0 -> 240 + random.nextInt(32); // around the bound
          case 1 -> 1 + random.nextInt(Math.min(5000, deepest));
          default -> 1 + random.nextInt(deepest);
        };
    String open = OPENINGS.get(shape).repeat(depth);
    String close = random.nextInt(3) == 0 ? "" : CLOSINGS.get(shape).repeat(depth);
    String nested = open + (random.nextBoolean() ? "0" : "{}") + close;
    return switch (random.nextInt(4)) {
      case 0 -> Review.of(anyPath(random), nested.getBytes(UTF_8));
      case 1 -> Review.conversion(nested, "\"" + ApiVersion.HUB.groupVersion() + "\"", "");
      case 2 -> Review.conversion("d-" + number, ApiVersion.HUB, List.of(object(nested)));
      default -> Review.admission(random, Review.pick(random, Route.ALL), object(nested), nested);
    };
  }

  static String anyPath(RandomGenerator random) {
    return random.nextInt(3) == 0 ? Review.CONVERT : Review.pick(random, Route.ALL).path();
  }

  private static String object(String nested) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1beta1","kind":"Workload","metadata":{"name":"w",\
    "annotations":{"a":"b"},"labels":%1$s},"spec":%1$s}\
    """
        .formatted(nested);
  }
}
