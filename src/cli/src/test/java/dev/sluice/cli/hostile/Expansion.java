package dev.sluice.cli.hostile;

import dev.sluice.api.ApiVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Aims at text that grows: topology assignments whose slices stand for far more domains, levels and
 * pods than their bytes tell, several in an object and several objects in a review, in both
 * directions of a conversion and in every review of a Workload.
 */
final class Expansion implements BodyGenerator {
  private static final List<String> COUNTS =
      List.of("1", "2", "2147483647", "0", "-1", "9223372036854775807", "99999999999999999999");

  @Override
  public String name() {
    return "expansion";
  }

  @Override
  public Review draw(RandomGenerator random, long number, int most) {
    int room = Math.min(most, 1 << (9 + random.nextInt(10)));
    int magnitudes = Math.clamp(Integer.SIZE - Integer.numberOfLeadingZeros(most / 8), 1, 18);
    if (random.nextInt(4) > 0) {
      int objects = 1 + random.nextInt(random.nextInt(4) == 0 ? 64 : 3);
      ApiVersion from = random.nextInt(5) == 0 ? ApiVersion.V1BETA1 : ApiVersion.V1BETA2;
      List<String> all = new ArrayList<>();
      for (int i = 0; i < objects; i++) {
        all.add(workload(random, from, "w-" + i, room / objects, magnitudes));
      }
      ApiVersion to = from == ApiVersion.V1BETA1 ? ApiVersion.V1BETA2 : ApiVersion.V1BETA1;
      return Review.conversion("e-" + number, to, all);
    }
    String workload = workload(random, ApiVersion.V1BETA2, "w", room, magnitudes);
    return Review.admission(random, Review.pick(random, Route.WORKLOADS), workload, workload);
  }

  /** A Workload with assignments of about so many bytes. */
  private static String workload(
      RandomGenerator random, ApiVersion version, String name, int room, int magnitudes) {
    int podSets = 1 + random.nextInt(random.nextInt(3) == 0 ? 18 : 2);
    List<String> assignments = new ArrayList<>();
    List<String> specs = new ArrayList<>();
    for (int i = 0; i < podSets; i++) {
      String assignment =
          version == ApiVersion.V1BETA2
              ? compressed(random, room / podSets, magnitudes)
              : listed(random, room / podSets);
      assignments.add(
          """
          {"name":"p%d","count":%s,"flavors":{"cpu":"f"},"topologyAssignment":%s}\
          """
              .formatted(i, Review.pick(random, COUNTS), assignment));
      specs.add("{\"name\":\"p%d\",\"count\":3,\"template\":{\"spec\":{}}}".formatted(i));
    }
    return """
    {"apiVersion":"%s","kind":"Workload","metadata":{"name":"%s","namespace":"ns"},"spec":{\
    "queueName":"q","podSets":[%s]},"status":{"conditions":[{"type":"QuotaReserved",\
    "status":"True","reason":"Reserved","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}],\
    "admission":{"clusterQueue":"cq","podSetAssignments":[%s]}}}\
    """
        .formatted(
            version.groupVersion(), name, String.join(",", specs), String.join(",", assignments));
  }

  /**
   * Slices; most are few bytes for many domains.
   *
   * @param magnitudes a slice stands for at most as many domains as have so many binary digits
   */
  static String compressed(RandomGenerator random, int room, int magnitudes) {
    int levels = 1 + random.nextInt(random.nextBoolean() ? 3 : 16);
    String value = "x".repeat(Math.min(room / (2 * levels) + 1, 1 << random.nextInt(13)));
    int domains = 1 << random.nextInt(magnitudes);
    List<String> slices = new ArrayList<>();
    int left = room;
    do {
      String slice =
          random.nextInt(6) == 0
              ? individual(random, levels, Math.max(1, Math.min(64, left / (8 * levels))))
              : universal(random, levels, value, domains);
      slices.add(slice);
      left -= slice.length();
    } while (left > 0 && slices.size() < 1000);
    return "{\"levels\":%s,\"slices\":[%s]}".formatted(names(levels), String.join(",", slices));
  }

  private static String universal(RandomGenerator random, int levels, String value, int domains) {
    String count = random.nextInt(8) == 0 ? Review.pick(random, COUNTS) : "" + domains;
    String one = "{\"universal\":\"" + value + "\"}";
    return "{\"domainCount\":%s,\"podCounts\":{\"universal\":%s},\"valuesPerLevel\":[%s]}"
        .formatted(count, Review.pick(random, COUNTS), String.join(",", repeated(one, levels)));
  }

  private static String individual(RandomGenerator random, int levels, int domains) {
    String roots = String.join(",", repeated("\"\"", domains));
    String affix = "y".repeat(1 << random.nextInt(10));
    String one =
        "{\"individual\":{\"prefix\":\"%1$s\",\"roots\":[%2$s],\"suffix\":\"%1$s\"}}"
            .formatted(affix, roots);
    return "{\"domainCount\":%d,\"podCounts\":{\"individual\":[%s]},\"valuesPerLevel\":[%s]}"
        .formatted(
            domains,
            String.join(",", repeated("1", domains)),
            String.join(",", repeated(one, levels)));
  }

  private static String listed(RandomGenerator random, int room) {
    int levels = 1 + random.nextInt(16);
    String values = String.join(",", repeated("\"v\"", levels));
    String domain = "{\"count\":%s,\"values\":[%s]}".formatted(Review.pick(random, COUNTS), values);
    int domains = Math.max(1, room / (domain.length() + 1));
    return "{\"levels\":%s,\"domains\":[%s]}"
        .formatted(names(levels), String.join(",", repeated(domain, domains)));
  }

  private static String names(int levels) {
    return "[" + String.join(",", repeated("\"l\"", levels)) + "]";
  }

  static List<String> repeated(String text, int times) {
    return java.util.Collections.nCopies(times, text);
  }
}
