package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.Workers.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WatchedWorkersTest {
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> ends = new ArrayList<>();
  private final Supervisor supervisor =
      new Supervisor((code, why) -> ends.add(code + " " + why), () -> Instant.EPOCH, nanos::get);
  private final Queue<Runnable> handed = new ArrayDeque<>();
  private final WatchedWorkers workers =
      new WatchedWorkers((_, task) -> handed.add(task), supervisor);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private void work() {
    Runnable task = handed.remove();
    task.run();
  }

  @Test
  void workersThatTakeNothingWhileTasksWaitAreUnhealthy() {
    workers.tryExecute(Lane.LARGE, () -> {});
    workers.tryExecute(Lane.LARGE, () -> {});
    pass(Duration.ofSeconds(119));
    work();
    pass(Duration.ofSeconds(119));
    assertThat(supervisor.health().isGood()).as("one of two was done").isTrue();

    pass(Duration.ofSeconds(2));
    assertThat(supervisor.health().text()).startsWith("workers-large: no sign of life for 121 s");

    work();
    pass(Duration.ofDays(1));
    assertThat(supervisor.health().isGood()).as("nothing is left to do").isTrue();
  }

  @Test
  void aTaskThatThrowsIsCountedAndOneThatThrowsAnErrorEndsTheProcess() {
    workers.tryExecute(
        Lane.LARGE,
        () -> {
          throw new IllegalStateException("thrown by a test");
        });
    work();
    assertThat(supervisor.part("workers-large").failures()).isEqualTo(1);
    assertThat(ends).isEmpty();

    workers.tryExecute(
        Lane.LARGE,
        () -> {
          throw new LinkageError("thrown by a test");
        });
    work();
    assertThat(ends)
        .containsExactly(
            "70 the part workers-large failed with java.lang.LinkageError: thrown by a test");
  }

  @Test
  void lanesAreWatchedOneByOne() {
    workers.tryExecute(Lane.LARGE, () -> {});
    pass(Duration.ofSeconds(121));
    workers.tryExecute(Lane.MEDIUM, () -> {});

    assertThat(supervisor.health().problems())
        .singleElement()
        .asString()
        .startsWith("workers-large: no sign of life");
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        arguments("too much waits in the lane", (Workers) (_, _) -> false),
        arguments(
            "the server is stopping",
            (Workers)
                (_, _) -> {
                  throw new RejectedExecutionException("stopping");
                }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void aTaskThatIsRefusedIsNotWaitedFor(String why, Workers full) {
    WatchedWorkers watched = new WatchedWorkers(full, supervisor);

    try {
      assertThat(watched.tryExecute(Lane.MEDIUM, () -> {})).as(why).isFalse();
    } catch (RejectedExecutionException e) {
      assertThat(e).hasMessage("stopping");
    }
    pass(Duration.ofDays(1));
    assertThat(supervisor.health().isGood()).isTrue();
  }
}
