package dev.sluice.scheduler.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.Fault;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PendingReasonReporterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<String> admitted = new CopyOnWriteArrayList<>();

  /** Stands still but when a test moves it on: how fast the machine is makes no difference. */
  private final AtomicLong nanos = new AtomicLong(System.nanoTime());

  private boolean tell(ObjectKey workload) {
    return !admitted.contains(workload.name()) && told.add(workload.name());
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private void awaitTold(int count) {
    await().atMost(PATIENCE).until(() -> told.size() == count);
  }

  private static ObjectKey key(int number) {
    return new ObjectKey("n", "w" + number);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ERROR")
  void tellsThoseAgainWhoseTellingFailed(Fault fault) {
    Supervisor supervisor = new Supervisor();
    Fault.Trap trap = fault.once();
    try (PendingReasonReporter reporter =
        new PendingReasonReporter(into(trap), nanos::get, supervisor)) {
      reporter.add(key(0));
      pass(Duration.ofMillis(200));
      await().atMost(PATIENCE).until(() -> supervisor.part("pending-reasons").failures() == 1);
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                pass(Duration.ofMillis(200)); // it is put back with a moment of patience
                return told.contains("w0");
              });
    }
  }

  @Test
  void anErrorEndsTheProcessAndSaysWhy() {
    List<String> ends = new CopyOnWriteArrayList<>();
    Supervisor supervisor =
        new Supervisor(
            (code, why) -> ends.add(code + " " + why), InstantSource.system(), nanos::get);
    try (PendingReasonReporter reporter =
        new PendingReasonReporter(into(Fault.ERROR.once()), nanos::get, supervisor)) {
      reporter.add(key(0));
      pass(Duration.ofMillis(200));
      await().atMost(PATIENCE).until(() -> !ends.isEmpty());
    }
    assertThat(ends).containsExactly("70 the part pending-reasons failed with " + Fault.ERROR_TEXT);
  }

  private Predicate<ObjectKey> into(Fault.Trap trap) {
    return key -> {
      trap.pass();
      return tell(key);
    };
  }

  @Test
  void tellsABurstAtOnceInTheOrderInWhichTheyCame() {
    try (PendingReasonReporter reporter =
        new PendingReasonReporter(this::tell, nanos::get, new Supervisor())) {
      reporter.busy();
      for (int i = 0; i < 20; i++) {
        reporter.add(key(i));
        reporter.add(key(0)); // keeps its place
      }

      assertThat(told).as("within the moment of patience").isEmpty();
      pass(Duration.ofMillis(200));

      awaitTold(20);
      assertThat(told).startsWith("w0", "w1", "w2").endsWith("w19").doesNotHaveDuplicates();
    }
  }

  @Test
  void tellsOnlySomeOfAFloodWhileOthersAreAdmittedAndNobodyWhoWasAdmittedMeanwhile() {
    try (PendingReasonReporter reporter =
        new PendingReasonReporter(this::tell, nanos::get, new Supervisor())) {
      for (int i = 0; i < 400; i++) {
        reporter.busy();
        reporter.add(key(i));
        if (i % 2 == 0) {
          admitted.add("w" + i);
        }
      }

      pass(Duration.ofMillis(200));
      awaitTold(101); // a burst, and the one that was earned while they waited
      await()
          .during(Duration.ofMillis(300))
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(told).hasSize(101));

      pass(Duration.ofSeconds(1));
      awaitTold(102);

      for (int i = 0; i < 100; i++) {
        reporter.busy(); // one for fifty
      }
      awaitTold(104);

      pass(Duration.ofSeconds(2)); // then it is calm
      awaitTold(200);
      assertThat(told).doesNotContainAnyElementsOf(admitted);
    }
  }
}
