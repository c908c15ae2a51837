package dev.sluice.cli.hostile;

import dev.sluice.testkit.Tier;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options {@code -Dsluice.hostile.*} of a run.
 *
 * @param seed all that is drawn follows from it
 * @param minutes how long all attacks together go on; zero for the short form
 * @param inputs how many bodies the endpoints get without a network
 * @param first the number of the first of them
 * @param slow the time after which an honest call counts as slow
 * @param only the names of the attacks that are wanted; empty for all
 */
record Knobs(long seed, long minutes, long inputs, long first, Duration slow, Set<String> only) {
  private static final String PREFIX = "sluice.hostile.";
  private static final long INPUTS = Tier.number(1_000, 10_000);
  private static final Duration STRICT = Duration.ofSeconds(20);
  private static final Duration SHORT_SHARE = Duration.ofSeconds(3);

  static Knobs read() {
    return new Knobs(
        Long.getLong(PREFIX + "seed", 18),
        Long.getLong(PREFIX + "minutes", 0),
        Long.getLong(PREFIX + "inputs", INPUTS),
        Long.getLong(PREFIX + "first", 0),
        Duration.ofMillis(Long.getLong(PREFIX + "slow", slowMillis())),
        Stream.of(System.getProperty(PREFIX + "only", "").split(","))
            .filter(name -> !name.isBlank())
            .collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * The long form holds the server to what is promised. A build must not fail because its machine
   * was busy: the short form finds calls that hang.
   */
  private static long slowMillis() {
    return Long.getLong(PREFIX + "minutes", 0) > 0 ? 2_000 : 20_000;
  }

  /**
   * How long honest callers wait, and how long a server has to be quiet after an attack.
   *
   * @param ofBuild the bound of the short form, which a busy machine must not break
   * @return 20 s in the long form
   */
  Duration bound(Duration ofBuild) {
    return minutes == 0 ? ofBuild : STRICT;
  }

  boolean wants(String name) {
    return only.isEmpty() || only.contains(name);
  }

  /** The time of one of so many attacks. */
  Duration share(int attacks) {
    return minutes == 0 ? SHORT_SHARE : Duration.ofMinutes(minutes).dividedBy(attacks);
  }
}
