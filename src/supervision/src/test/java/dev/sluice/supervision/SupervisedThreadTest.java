package dev.sluice.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SupervisedThreadTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final Supervisor supervisor =
      new Supervisor(
          (code, why) -> ends.add(code + " " + why), InstantSource.system(), System::nanoTime);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double counted(String part) {
    return registry.get("sluice.failures").tag("part", part).functionCounter().count();
  }

  private static Stream<Exception> exceptions() {
    return Stream.of(
        new IllegalStateException("asked for by a test"),
        new InterruptedException("asked for by a test"),
        new java.io.IOException("asked for by a test"));
  }

  @ParameterizedTest
  @MethodSource("exceptions")
  void aStepThatThrowsAnExceptionIsCountedAndFollowedByAnother(Exception fault) {
    AtomicInteger steps = new AtomicInteger();
    supervisor.bindTo(registry);
    SupervisedThread thread =
        supervisor
            .part("test")
            .thread(
                Thread.ofVirtual(),
                PATIENCE,
                _ -> {
                  if (steps.incrementAndGet() == 1) {
                    throw fault;
                  }
                  return true;
                })
            .start();

    await().atMost(PATIENCE).until(() -> steps.get() > 2);
    thread.close(PATIENCE);

    assertThat(counted("test")).isEqualTo(1);
    assertThat(ends).isEmpty();
  }

  @Test
  void aStrayInterruptDoesNotEndTheThreadAndACloseDoes() {
    AtomicInteger steps = new AtomicInteger();
    SupervisedThread thread =
        supervisor
            .part("test")
            .thread(
                Thread.ofPlatform().daemon(),
                PATIENCE,
                _ -> {
                  steps.incrementAndGet();
                  Thread.currentThread().interrupt(); // as a library might leave it
                  return true;
                })
            .start();

    await().atMost(PATIENCE).until(() -> steps.get() > 2);
    thread.close(PATIENCE);
    int last = steps.get();

    assertThat(thread.isClosed()).isTrue();
    assertThat(steps.get()).isEqualTo(last);
    assertThat(supervisor.part("test").failures()).isZero();
  }

  @ParameterizedTest
  @MethodSource("errors")
  void aStepThatThrowsAnErrorEndsTheProcessWithALineThatNamesThePart(Error fault) {
    AtomicInteger steps = new AtomicInteger();
    supervisor
        .part("test")
        .thread(
            Thread.ofVirtual(),
            PATIENCE,
            _ -> {
              steps.incrementAndGet();
              throw fault;
            })
        .start();

    await().atMost(PATIENCE).until(() -> !ends.isEmpty());

    assertThat(ends).containsExactly("70 the part test failed with " + fault);
    assertThat(steps).hasValue(1);
  }

  private static Stream<Error> errors() {
    return Stream.of(
        new AssertionError("asked for by a test"),
        new StackOverflowError("asked for by a test"),
        new OutOfMemoryError("asked for by a test"),
        new NoClassDefFoundError("asked for by a test"));
  }

  @Test
  void aThreadThatIsToFinishEndsTheStepUnderWayFirst() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    SupervisedThread thread =
        supervisor
            .part("test")
            .thread(
                Thread.ofVirtual(),
                PATIENCE,
                _ -> {
                  begun.countDown();
                  go.await();
                  done.incrementAndGet();
                  return true;
                })
            .start();
    begun.await();
    Thread.ofVirtual()
        .start(
            () -> {
              await().atMost(PATIENCE).until(thread::isClosed);
              go.countDown();
            });

    thread.finish(PATIENCE);

    assertThat(done).hasValue(1);
  }

  @Test
  void aTaskOfAnExecutorThatThrowsIsCounted() {
    Part part = supervisor.part("tasks");
    part.guarded(
            () -> {
              throw new IllegalStateException("asked for by a test");
            })
        .run();

    assertThat(part.failures()).isEqualTo(1);
    assertThat(ends).isEmpty();
  }

  @Test
  void partsAreMeasuredFromTheStartInEachRegistry() {
    supervisor.part("early");
    supervisor.bindTo(registry);
    supervisor.part("late");

    assertThat(counted("early")).isZero();
    assertThat(counted("late")).isZero();
  }
}
