package dev.sluice.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class WorkQueueTest {
  private final BlockingQueue<String> looked = new LinkedBlockingQueue<>();

  @ParameterizedTest(name = "at {0} it waits {1} ms")
  @CsvSource({
    "2026-01-01T12:00:40Z, 5000",
    "2026-01-01T12:00:40.300Z, 6000",
    "2026-01-01T12:00:35.001Z, 1000",
  })
  void aTimeWithinASecondIsAwaitedToItsEndSinceALookSeesWholeSeconds(Instant at, long millis) {
    InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-01T12:00:35Z"));

    assertThat(Result.at(Optional.of(at), clock))
        .isEqualTo(new Result.Again(Duration.ofMillis(millis)));
    assertThat(Result.at(Optional.empty(), clock)).isEqualTo(Result.REST);
  }

  @Test
  void aKeyThatIsAddedTwiceWhileItWaitsIsLookedAtOnce() throws InterruptedException {
    CountDownLatch free = new CountDownLatch(1);
    try (var queue =
        new WorkQueue<String>("test", 1, key -> lookAfter(free, key), new Supervisor())) {
      queue.add("first");
      queue.add("second");
      queue.add("second");
      free.countDown();

      assertThat(List.of(looked.take(), looked.take())).containsExactly("first", "second");
      queue.add("third");
      assertThat(looked.take()).isEqualTo("third");
    }
  }

  @Test
  void aKeyThatIsAddedWhileItIsLookedAtIsLookedAtOnceMoreAndNeverByTwo()
      throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    AtomicInteger present = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (var queue =
        new WorkQueue<String>(
            "test",
            4,
            key -> {
              most.accumulateAndGet(present.incrementAndGet(), Math::max);
              entered.countDown();
              Result result = lookAfter(free, key);
              present.decrementAndGet();
              return result;
            },
            new Supervisor())) {
      queue.add("key");
      entered.await();
      queue.add("key");
      queue.add("key");
      free.countDown();

      assertThat(List.of(looked.take(), looked.take())).containsExactly("key", "key");
      assertThat(most).hasValue(1);
      queue.add("other"); // nothing more of the first is before it
      assertThat(looked.take()).isEqualTo("other");
    }
  }

  @Test
  void whatFailsIsLookedAtAgainUntilItDoesNot() throws InterruptedException {
    AtomicInteger attempts = new AtomicInteger();
    try (var queue =
        new WorkQueue<String>(
            "test",
            1,
            key -> {
              looked.add(key);
              return switch (attempts.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("a failure that a test asked for");
                case 2 -> Result.FAILED;
                default -> Result.REST;
              };
            },
            new Supervisor())) {
      queue.add("key");

      assertThat(List.of(looked.take(), looked.take(), looked.take())).hasSize(3);
      assertThat(looked.poll(400, TimeUnit.MILLISECONDS)).isNull();
    }
  }

  @Test
  void theEarlierOfTwoTimesCounts() throws InterruptedException {
    try (var queue = new WorkQueue<String>("test", 1, this::reconcile, new Supervisor())) {
      queue.addAfter("key", Duration.ofHours(1));
      queue.addAfter("key", Duration.ofMillis(1));
      queue.addAfter("key", Duration.ofHours(2));

      assertThat(looked.take()).isEqualTo("key");
    }
  }

  @Test
  void aLookBeforeTheTimeOfAKeyServesIt() throws InterruptedException {
    try (var queue = new WorkQueue<String>("test", 1, this::reconcile, new Supervisor())) {
      queue.addAfter("key", Duration.ofMillis(200));
      queue.add("key");
      queue.addAfter("last", Duration.ofMillis(400)); // after the time of the first

      assertThat(List.of(looked.take(), looked.take())).containsExactly("key", "last");
    }
  }

  @Test
  void aTimeThatIsAddedDuringALookIsNotServedByIt() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    try (var queue =
        new WorkQueue<String>(
            "test",
            1,
            key -> {
              entered.countDown();
              return lookAfter(free, key);
            },
            new Supervisor())) {
      queue.add("key");
      entered.await();
      queue.addAfter("key", Duration.ofMillis(1));
      free.countDown();

      assertThat(List.of(looked.take(), looked.take())).containsExactly("key", "key");
    }
  }

  @Test
  void aLookBeforeATimeThatAnEarlierLookAskedForDoesNotServeIt() throws InterruptedException {
    AtomicInteger looks = new AtomicInteger();
    try (var queue =
        new WorkQueue<String>(
            "test",
            1,
            key -> {
              looked.add(key);
              return looks.incrementAndGet() == 1
                  ? new Result.Again(Duration.ofMillis(100))
                  : Result.REST;
            },
            new Supervisor())) {
      queue.add("key");
      assertThat(looked.take()).isEqualTo("key");
      queue.add("key");

      assertThat(List.of(looked.take(), looked.take())).containsExactly("key", "key");
    }
  }

  @Test
  void aTimeThatIsThousandsOfYearsAwayIsNoFailure() throws InterruptedException {
    try (var queue = new WorkQueue<String>("test", 1, this::reconcile, new Supervisor())) {
      queue.addAfter("key", Duration.between(Instant.EPOCH, Instant.parse("9999-12-31T23:59:59Z")));
      queue.addAfter("other", Duration.ofMillis(1));

      assertThat(looked.take()).isEqualTo("other");
    }
  }

  private Result reconcile(String key) {
    looked.add(key);
    return Result.REST;
  }

  private Result lookAfter(CountDownLatch free, String key) {
    try {
      free.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return reconcile(key);
  }
}
