package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WatchedExecutorTest {
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> ends = new ArrayList<>();
  private final Supervisor supervisor =
      new Supervisor((code, why) -> ends.add(code + " " + why), () -> Instant.EPOCH, nanos::get);
  private final Queue<Runnable> handed = new ArrayDeque<>();
  private final WatchedExecutor workers =
      new WatchedExecutor(handed::add, supervisor.part("workers"));

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private void work() {
    Runnable task = handed.remove();
    task.run();
  }

  @Test
  void workersThatTakeNothingWhileTasksWaitAreUnhealthy() {
    workers.execute(() -> {});
    workers.execute(() -> {});
    pass(Duration.ofSeconds(119));
    work();
    pass(Duration.ofSeconds(119));
    assertThat(supervisor.health().isGood()).as("one of two was done").isTrue();

    pass(Duration.ofSeconds(2));
    assertThat(supervisor.health().text()).startsWith("workers: no sign of life for 121 s");

    work();
    pass(Duration.ofDays(1));
    assertThat(supervisor.health().isGood()).as("nothing is left to do").isTrue();
  }

  @Test
  void aTaskThatThrowsIsCountedAndOneThatThrowsAnErrorEndsTheProcess() {
    workers.execute(
        () -> {
          throw new IllegalStateException("thrown by a test");
        });
    work();
    assertThat(supervisor.part("workers").failures()).isEqualTo(1);
    assertThat(ends).isEmpty();

    workers.execute(
        () -> {
          throw new LinkageError("thrown by a test");
        });
    work();
    assertThat(ends)
        .containsExactly(
            "70 the part workers failed with java.lang.LinkageError: thrown by a test");
  }

  @Test
  void aTaskThatIsRefusedIsNotWaitedFor() {
    WatchedExecutor full =
        new WatchedExecutor(
            _ -> {
              throw new RejectedExecutionException("full");
            },
            supervisor.part("full"));

    assertThatThrownBy(() -> full.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    pass(Duration.ofDays(1));
    assertThat(supervisor.health().isGood()).isTrue();
  }
}
