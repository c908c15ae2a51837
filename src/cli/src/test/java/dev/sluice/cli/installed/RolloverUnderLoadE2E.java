package dev.sluice.cli.installed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Certificates and authorities are replaced, servers are restarted, upgraded, and rolled back under
 * calls that never stop, and none fails. A kill costs what was under way at that moment. The
 * numbers of the long form are in {@code docs/contributing/testing.md}.
 */
@FullTier
@NeedsControlPlane
@Timeout(14_400)
@SuppressWarnings("NullAway.Init") // set before all tests
class RolloverUnderLoadE2E {
  private static final int RATE = Tier.number("sluice.rolling.rate", 20, 20);
  private static final int ROTATIONS = Tier.number("sluice.rolling.rotations", 10, 10);
  private static final int ROLLOVERS = Tier.number("sluice.rolling.rollovers", 1, 1);
  private static final int RESTARTS = Tier.number("sluice.rolling.restarts", 4, 4);
  private static final int KILLS = Tier.number("sluice.rolling.kills", 1, 1);

  /** So short that a server replaces its certificate each time that it looks, every 2 s. */
  private static final String SHORT_LIVED = "--certificate-lifetime=1m";

  /** Until the balancer has closed the connections of a killed server. */
  private static final Duration NOTICED = Duration.ofSeconds(1);

  private static final Duration ALL_ROTATIONS = Duration.ofSeconds(120 + 4L * ROTATIONS);

  @TempDir private static Path folder;
  private static Replicas replicas;

  @BeforeAll
  static void start() throws IOException {
    replicas = Replicas.start(folder, SHORT_LIVED);
  }

  @AfterAll
  static void stop() {
    replicas.close();
  }

  @Test
  void noCallFailsWhileCertificatesAndAuthoritiesAreReplaced() throws Exception {
    int before = replicas.rotations();
    try (ConstantCalls calls = ConstantCalls.start(replicas, RATE)) {
      for (int rollover = 1; rollover <= ROLLOVERS; rollover++) {
        replicas.replaceAuthority("rollover " + rollover);
        assertThat(calls.failures()).as("rollover %d: %s", rollover, replicas.tails()).isEmpty();
      }
      replicas.await("rotations", ALL_ROTATIONS, () -> replicas.rotations() - before >= ROTATIONS);
      assertNoneFailed(calls);
    }
  }

  /**
   * The new release differs by what it registers: for a while, two servers with different
   * registrations answer side by side.
   */
  @Test
  void noCallFailsWhileServersAreRestartedUpgradedAndRolledBack() throws Exception {
    Path configuration =
        replicas.file(
            "new-release.yaml",
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            integrations:
              frameworks: [batch/job, jobset.x-k8s.io/jobset]
            """);
    List<String> older = List.of(SHORT_LIVED);
    List<String> newer = List.of(SHORT_LIVED, "--config=" + configuration);
    try (ConstantCalls calls = ConstantCalls.start(replicas, RATE)) {
      for (int restart = 0; restart < RESTARTS; restart++) {
        List<String> release = restart / 2 % 2 == 0 ? newer : older;
        replicas.roll(restart % 2, release.toArray(new String[0]));
        assertThat(calls.failures()).as("restart %d: %s", restart, replicas.tails()).isEmpty();
      }
      assertNoneFailed(calls);
    }
  }

  @Test
  void aKillCostsOnlyTheCallsThatWereUnderWay() throws Exception {
    try (ConstantCalls calls = ConstantCalls.start(replicas, RATE)) {
      for (int kill = 0; kill < KILLS; kill++) {
        int victim = kill % 2;
        int failed = calls.failures().size();
        int sent = calls.sent();
        replicas.await("calls are sent", () -> calls.sent() > sent + RATE / 2);
        long from = System.nanoTime();
        replicas.process(victim).kill();
        long until = System.nanoTime();
        replicas.revive(victim);
        List<ConstantCalls.Failure> more =
            calls.failures().subList(failed, calls.failures().size());
        assertThat(more)
            .as("kill %d: %s", kill, replicas.tails())
            .allMatch(failure -> failure.overlaps(from, until + NOTICED.toNanos()));
      }
      System.out.printf("%d kills: %s%n", KILLS, calls);
    }
  }

  private static void assertNoneFailed(ConstantCalls calls) {
    System.out.println(calls);
    assertThat(calls.failures()).as(replicas.tails()).isEmpty();
    assertThat(calls.answered()).as("calls").isGreaterThan(10);
  }
}
