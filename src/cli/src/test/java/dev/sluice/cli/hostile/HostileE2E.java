package dev.sluice.cli.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.Alone;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Attacks {@code serve} and {@code schedule}, each with the memory of its container, one attack
 * after the other, while honest callers go on. After an attack that did harm, the processes are
 * started again, so that each is judged for itself. {@code docs/contributing/hardening.md} has the
 * long form.
 */
@Alone
@FullTier
@NeedsControlPlane
@Timeout(value = 3, unit = TimeUnit.HOURS)
@SuppressWarnings("NullAway.Init") // set before all tests
class HostileE2E {
  private static final Knobs KNOBS = Knobs.read();
  private static final Duration WARM = Duration.ofSeconds(3);
  private static final Duration SETTLED = Duration.ofMinutes(1);
  private static final Duration AFTERMATH = KNOBS.bound(Duration.ofSeconds(60));
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final long CONTENT_MILLIS = 1_000;

  @TempDir private static Path folder;
  private static Deployed deployed;
  private static HonestClient client;
  private static HonestJobs jobs;
  private static final List<String> STORY = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    System.out.printf("hostile: seed %d%n", KNOBS.seed());
    deployed = new Deployed(folder);
    jobs = new HonestJobs(deployed.api());
    List<Integer> plain = plainPorts();
    client =
        new HonestClient(
            new HonestCalls(deployed.https(), plain.get(0), plain.get(1)),
            deployed.trust(),
            KNOBS.slow());
    client.start();
    jobs.start();
    long begun = System.nanoTime();
    Poll.until(WARM, PAUSE, () -> false); // the first calls find a cold JVM
    Poll.until(SETTLED, PAUSE, () -> isWell(begun));
    client.take();
    jobs.takeTally();
  }

  @AfterAll
  static void stop() throws Exception {
    STORY.forEach(System.out::println);
    for (AutoCloseable part : Arrays.asList(client, jobs, deployed)) {
      if (part != null) { // the start may have failed
        part.close();
      }
    }
  }

  private static List<Integer> plainPorts() {
    return deployed.containers().stream().map(Container::plainPort).toList();
  }

  static Stream<String> names() {
    return attacks().map(Attack::name).filter(KNOBS::wants);
  }

  private static Stream<Attack> attacks() {
    List<Attack> attacks = new ArrayList<>();
    attacks.add(new Calm());
    Generators.ALL.forEach(generator -> attacks.add(new BodyAttack(generator)));
    attacks.add(new WireAttack("headers", HttpTexts::headers));
    attacks.add(new WireAttack("paths", HttpTexts::paths));
    attacks.add(new Http2Attack());
    attacks.add(new ConnectionsAttack());
    attacks.add(new PlainPortsAttack());
    attacks.add(stored("stored-placements", StoredSteps::placements));
    attacks.add(stored("stored-quotas", StoredSteps::quotas));
    attacks.add(stored("stored-statuses", StoredSteps::statuses));
    attacks.add(stored("stored-drawn", StoredSteps::drawn));
    attacks.add(stored("stored-deletions", StoredSteps::deletions));
    return attacks.stream();
  }

  private static Attack stored(String name, StoredAttack.Step step) {
    return new StoredAttack(name, () -> deployed.api(), step);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void honestCallersNoticeNothingOf(String name) throws Exception {
    Attack attack = attacks().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
    Breaches breaches = new Breaches(name, KNOBS.seed());
    for (Container container : deployed.containers()) {
      container.begin();
    }
    client.take();
    jobs.takeBad();
    long end = System.nanoTime() + KNOBS.share((int) names().count()).toNanos();
    Target target = new Target(deployed.trust(), deployed.https(), plainPorts(), KNOBS.seed(), end);

    String done = attack.run(target, breaches);
    long over = System.nanoTime();
    boolean isWell = Poll.until(AFTERMATH, PAUSE, () -> isWell(over));

    judge(name, done, isWell, breaches);
    if (breaches.count() > 0) {
      for (Container container : deployed.containers()) {
        breaches.saveLog(container);
      }
      deployed.restart(!isWell);
      long restarted = System.nanoTime();
      Poll.until(AFTERMATH, PAUSE, () -> isWell(restarted));
    }
    assertThat(breaches.report()).isEmpty();
  }

  private static boolean isWell(long attackOver) {
    return (client.isContentFor(CONTENT_MILLIS) && jobs.hasStartedAfter(attackOver))
        || deployed.containers().stream().anyMatch(it -> it.process().hasEnded());
  }

  private static void judge(String name, String done, boolean isWell, Breaches breaches)
      throws IOException {
    List<String> peaks = new ArrayList<>();
    for (Container container : deployed.containers()) {
      if (container.process().hasEnded()) {
        breaches.add(container.role() + " has ended: " + container.process().tail());
      }
      long peak = container.peak();
      peaks.add("%s %d MiB".formatted(container.role(), peak >> 20));
      if (peak > LauncherFlags.LIMIT) {
        breaches.add(
            "%s held %d MiB (expected: at most %d)"
                .formatted(container.role(), peak >> 20, LauncherFlags.LIMIT >> 20));
      }
      container.logBreach().ifPresent(breaches::add);
    }
    if (!isWell) {
      breaches.add(
          "honest calls still fail, or no honest Job is admitted, "
              + AFTERMATH
              + " after the attack");
    }
    HonestClient.Tally tally = client.take();
    if (tally.badCount() > 0) {
      breaches.add(tally.bad());
    }
    String badJobs = jobs.takeBad();
    if (!badJobs.isEmpty()) {
      breaches.add(badJobs);
    }
    String line =
        String.format(
            Locale.ROOT,
            "hostile: %s: %s; %s; %s; peak %s; %s",
            name,
            done,
            tally,
            jobs.takeTally(),
            peaks,
            breaches.count() == 0 ? "held" : breaches.count() + " breaches");
    STORY.add(line);
    System.out.println(line);
  }
}
