package dev.sluice.cli.installed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.process.Release;
import dev.sluice.testkit.Alone;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
@Alone
@FullTier
@NeedsControlPlane
@Timeout(14_400)
@SuppressWarnings("NullAway.Init") // set before all tests
class RolloverUnderLoadE2E {
  private static final int RATE = Tier.number("sluice.rolling.rate", 20, 20);
  private static final int ROTATIONS = Tier.number("sluice.rolling.rotations", 10, 10);
  private static final int ROLLOVERS = Tier.number("sluice.rolling.rollovers", 1, 1);
  private static final int RESTARTS = Tier.number("sluice.rolling.restarts", 2, 2);
  private static final int KILLS = Tier.number("sluice.rolling.kills", 1, 1);

  /** So short that a server replaces its certificate each time that it looks, every 2 s. */
  private static final String SHORT_LIVED = "--certificate-lifetime=2m";

  /** Until the balancer has closed the connections of a killed server. */
  private static final Duration NOTICED = Duration.ofSeconds(1);

  private static final Duration ALL_ROTATIONS = Duration.ofSeconds(120 + 4L * ROTATIONS);
  private static final Duration ALL_ROLLOVERS = Duration.ofSeconds(240L * ROLLOVERS);

  @TempDir private static Path folder;
  private static Release release;
  private static Replicas replicas;

  @BeforeAll
  static void start() throws IOException {
    release = Release.of("0.1.0", folder);
    replicas = Replicas.start(folder, release, SHORT_LIVED);
  }

  @AfterAll
  static void stop() {
    replicas.close();
  }

  /**
   * Authorities are replaced and certificates rotate while servers are restarted, one after the
   * other. The new release differs by its version and by what it registers: for a while, two
   * servers with different registrations answer side by side.
   */
  @Test
  void noCallFailsDuringRotationsRolloversRestartsUpgradesAndRollbacks() throws Exception {
    List<String> newFlags = List.of(SHORT_LIVED, "--config=" + newConfiguration());
    Release next = Release.of("0.2.0", folder);
    int before = replicas.rotations();
    long began = System.nanoTime();
    try (ConstantCalls calls = ConstantCalls.start(replicas, RATE);
        ExecutorService rollovers = Executors.newSingleThreadExecutor()) {
      AtomicInteger rolledOver = new AtomicInteger();
      Future<?> replaced = rollovers.submit(() -> replaceAuthorities(calls, rolledOver));
      for (int restart = 1; restart <= RESTARTS; restart++) {
        boolean isUpgrade = restart % 2 == 1; // and the next one is the rollback
        for (int server = 0; server < Replicas.NUMBER; server++) {
          replicas.roll(
              server, isUpgrade ? next : release, isUpgrade ? newFlags : List.of(SHORT_LIVED));
          requireNoneFailed(calls, "restart " + restart);
        }
        // a rollover waits while no server lives for as long as clients may take to load a bundle
        int due = restart * ROLLOVERS / RESTARTS;
        replicas.await("rollover " + due, () -> replaced.isDone() || rolledOver.get() >= due);
      }
      replaced.get(ALL_ROLLOVERS.toSeconds(), TimeUnit.SECONDS);
      replicas.await("rotations", ALL_ROTATIONS, () -> replicas.rotations() - before >= ROTATIONS);
      System.out.printf(
          "%d rollovers, %d rolling restarts, %d rotations in %d s: %s%n",
          ROLLOVERS,
          RESTARTS,
          replicas.rotations() - before,
          Duration.ofNanos(System.nanoTime() - began).toSeconds(),
          calls);
      requireNoneFailed(calls, "at the end");
      assertThat(calls.answered()).as("calls").isGreaterThan(10);
    }
  }

  private static Path newConfiguration() throws IOException {
    return replicas.file(
        "new-release.yaml",
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        integrations:
          frameworks: [batch/job, jobset.x-k8s.io/jobset]
        """);
  }

  private static int replaceAuthorities(ConstantCalls calls, AtomicInteger rolledOver)
      throws GeneralSecurityException {
    for (int rollover = 1; rollover <= ROLLOVERS; rollover++) {
      replicas.replaceAuthority("rollover " + rollover);
      requireNoneFailed(calls, "rollover " + rollover);
      rolledOver.set(rollover);
    }
    return ROLLOVERS;
  }

  @Test
  void aKillCostsOnlyTheCallsThatWereUnderWay() throws Exception {
    try (ConstantCalls calls = ConstantCalls.start(replicas, RATE)) {
      for (int kill = 0; kill < KILLS; kill++) {
        int victim = kill % Replicas.NUMBER;
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

  private static void requireNoneFailed(ConstantCalls calls, String when) {
    assertThat(calls.failures()).as("%s: %s", when, replicas.tails()).isEmpty();
  }
}
