package dev.sluice.cli.hostile;

import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Aims at what goes from a caller into an answer or a log line: uids, names, operations and
 * versions that are long, forge a line of a log, or are no text.
 */
final class Envelopes implements BodyGenerator {
  /** What no log may hold as it is. */
  static final String FORGED = "ERROR audit forged-by-a-caller";

  private static final List<String> TEXTS =
      List.of(
          "\"u\"",
          "\"\"",
          "\"\\n2026-01-01T00:00:00.000Z " + FORGED + "\"",
          "\"\\u001b[2K\\r" + FORGED + "\\u001b[0m\"",
          "\"\\u2028\\u202e\\ufeff\\u0000\"",
          "\"\\ud800\"",
          "\"${jndi:ldap://127.0.0.1/a} {} %s %n\"",
          "\"</script>\\\"}\"",
          "null",
          "{}",
          "[\"u\"]",
          "1e999",
          "true");

  @Override
  public String name() {
    return "envelopes";
  }

  @Override
  public Review draw(RandomGenerator random, long number, int most) {
    String uid = text(random, most);
    return random.nextBoolean()
        ? Review.conversion(uid, version(random, most), odd(random, text(random, most), number))
        : Review.admission(
            Review.pick(random, Route.ALL),
            uid,
            random.nextBoolean() ? "\"CREATE\"" : text(random, most),
            odd(random, text(random, most), number),
            "null",
            ",\"name\":" + text(random, most) + ",\"dryRun\":" + text(random, most));
  }

  private static String text(RandomGenerator random, int most) {
    return random.nextInt(12) == 0
        ? "\"" + "v".repeat(Math.min(most / 4 + 1, 1 << random.nextInt(21))) + "\""
        : Review.pick(random, TEXTS);
  }

  private static String version(RandomGenerator random, int most) {
    return random.nextInt(3) == 0
        ? text(random, most)
        : "\"" + Review.pick(random, List.of(ApiVersion.values())).groupVersion() + "\"";
  }

  /**
   * Objects about which the server says something in its log: Topologies that miss their levels.
   */
  private static String odd(RandomGenerator random, String name, long number) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1alpha1","kind":%s,"metadata":{"name":%s,"namespace":%s},\
    "spec":{"levels":[]}}\
    """
        .formatted(
            random.nextInt(8) == 0 ? name : "\"Topology\"",
            random.nextBoolean() ? name : "\"t-" + number + "\"",
            name);
  }
}
