package dev.sluice.scheduler.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.quota.world.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class WaitersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<String> admitted = new CopyOnWriteArrayList<>();

  private boolean tell(ObjectKey workload) {
    return !admitted.contains(workload.name()) && told.add(workload.name());
  }

  private static ObjectKey key(int number) {
    return new ObjectKey("n", "w" + number);
  }

  @Test
  void tellsABurstAtOnceInTheOrderInWhichTheyCame() {
    try (Waiters waiters = new Waiters(this::tell)) {
      waiters.busy();
      for (int i = 0; i < 20; i++) {
        waiters.add(key(i));
        waiters.add(key(0)); // keeps its place
      }

      await().atMost(PATIENCE).until(() -> told.size() == 20);
      assertThat(told).startsWith("w0", "w1", "w2").endsWith("w19").doesNotHaveDuplicates();
    }
  }

  @Test
  void tellsOnlySomeOfAFloodWhileOthersAreAdmittedAndNobodyWhoWasAdmittedMeanwhile() {
    try (Waiters waiters = new Waiters(this::tell)) {
      for (int i = 0; i < 400; i++) {
        waiters.busy();
        waiters.add(key(i));
        if (i % 2 == 0) {
          admitted.add("w" + i);
        }
      }

      await()
          .during(Duration.ofMillis(500))
          .atMost(Duration.ofSeconds(2)) // then it is calm
          .untilAsserted(() -> assertThat(told).hasSizeLessThan(150));

      await().atMost(PATIENCE).until(() -> told.size() == 200);
      assertThat(told).doesNotContainAnyElementsOf(admitted);
    }
  }
}
