package dev.sluice.scheduler.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

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

  @Test
  void tellsThoseAgainWhoseTellingFailed() {
    Supervisor supervisor = new Supervisor();
    AtomicLong calls = new AtomicLong();
    try (PendingReasonReporter reporter =
        new PendingReasonReporter(
            key -> {
              if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("thrown by a test");
              }
              return tell(key);
            },
            nanos::get,
            supervisor)) {
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
      awaitTold(121);

      pass(Duration.ofSeconds(2)); // then it is calm
      awaitTold(200);
      assertThat(told).doesNotContainAnyElementsOf(admitted);
    }
  }
}
