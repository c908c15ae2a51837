package dev.sluice.scheduler.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.meta.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class WorkloadWriteLockTest {
  private static final ObjectKey WORKLOAD = new ObjectKey("team", "w");
  private static final WriteResult DONE =
      new WriteResult.Done(JsonNodeFactory.instance.objectNode());

  private final AtomicLong nanos = new AtomicLong();
  private final WorkloadWriteLock writeLock = new WorkloadWriteLock(nanos::get);
  private final List<String> written = new CopyOnWriteArrayList<>();
  private volatile String version = "7";

  private WriteResult place(String planned) {
    return writeLock.because(WORKLOAD, planned, () -> version, write("place", DONE));
  }

  private Supplier<WriteResult> write(String what, WriteResult end) {
    return () -> {
      written.add(what);
      return end;
    };
  }

  private void move(WriteResult end) {
    writeLock.change(WORKLOAD, "7", () -> version, write("move", end));
  }

  @Test
  void aPodIsPlacedWhileItsWorkloadIsAsItWasPlannedFor() {
    assertThat(place("7").isDone()).isTrue();
    assertThat(written).containsExactly("place");
  }

  @Test
  void noPodIsPlacedOnceItsWorkloadIsAnother() {
    version = "8";

    assertThat(place("7")).isInstanceOf(WriteResult.Conflict.class);
    assertThat(written).isEmpty();
  }

  /** The plan was made before; while it waits for its turn, the place is taken away. */
  @Test
  void noPodIsPlacedWhileItsWorkloadIsBeingMoved() throws InterruptedException {
    CountDownLatch moving = new CountDownLatch(1);
    CountDownLatch stored = new CountDownLatch(1);
    Thread mover =
        Thread.ofVirtual()
            .start(
                () ->
                    writeLock.change(
                        WORKLOAD,
                        "7",
                        () -> version,
                        () -> {
                          moving.countDown();
                          await(stored);
                          version = "8";
                          written.add("move");
                          return DONE;
                        }));
    moving.await();
    Thread placer = Thread.ofVirtual().start(() -> place("7"));

    assertThat(placer.join(Duration.ofMillis(100))).as("waits").isFalse();
    stored.countDown();
    mover.join();
    placer.join();

    assertThat(written).containsExactly("move");
  }

  @Test
  void aMoveWaitsForAPodThatIsBeingPlaced() throws InterruptedException {
    CountDownLatch placing = new CountDownLatch(1);
    CountDownLatch placed = new CountDownLatch(1);
    Thread placer =
        Thread.ofVirtual()
            .start(
                () ->
                    writeLock.because(
                        WORKLOAD,
                        "7",
                        () -> version,
                        () -> {
                          placing.countDown();
                          await(placed);
                          written.add("place");
                          return DONE;
                        }));
    placing.await();
    Thread mover = Thread.ofVirtual().start(() -> move(DONE));

    assertThat(mover.join(Duration.ofMillis(100))).as("waits").isFalse();
    placed.countDown();
    placer.join();
    mover.join();

    assertThat(written).containsExactly("place", "move");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest(name = "{0}: for {1} s")
  @CsvSource({"unanswered, 30", "conflict, 5", "missing, 0", "refused, 0", "done, 0"})
  void noPodIsPlacedWhileNobodyKnowsWhatBecameOfAMove(String end, int seconds) {
    move(
        switch (end) {
          case "unanswered" -> new WriteResult.Unanswered("");
          case "conflict" -> new WriteResult.Conflict("");
          case "missing" -> new WriteResult.Missing("");
          case "refused" -> new WriteResult.Refused(422, "");
          default -> DONE;
        });

    if (seconds > 0) {
      nanos.addAndGet(Duration.ofSeconds(seconds).toNanos() - 1);
      assertThat(place("7").isDone()).isFalse();
      nanos.incrementAndGet();
    }
    assertThat(place("7").isDone()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aChangeThatCameTooLateAsWeKnowLeavesNoDoubt(boolean answered) {
    version = "8";
    move(answered ? new WriteResult.Conflict("") : new WriteResult.Unanswered(""));

    assertThat(place("8").isDone()).isTrue();
  }

  @Test
  void onceALaterVersionIsSeenItIsKnown() {
    move(new WriteResult.Unanswered(""));
    version = "9";

    assertThat(place("7").isDone()).as("it was moved").isFalse();
    assertThat(place("9").isDone()).isTrue();
  }

  @Test
  void aLaterMoveThatIsDoneEndsTheDoubt() {
    move(new WriteResult.Unanswered(""));
    move(DONE);

    assertThat(place("7").isDone()).isTrue();
  }

  /** What was not heard of may still be carried out when a conflict has been told. */
  @Test
  void aConflictDoesNotShortenTheDoubtOfAnUnansweredMove() {
    move(new WriteResult.Unanswered(""));
    move(new WriteResult.Conflict(""));
    nanos.addAndGet(Duration.ofSeconds(29).toNanos());

    assertThat(place("7").isDone()).isFalse();
  }

  @Test
  void whatWasNotHeardOfMayBeCarriedOutForHalfAMinute() {
    move(new WriteResult.Unanswered(""));
    move(new WriteResult.Conflict(""));

    nanos.addAndGet(Duration.ofSeconds(29).toNanos());
    assertThat(writeLock.unheard(WORKLOAD, "7")).isEqualTo(Duration.ofSeconds(1));
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(writeLock.unheard(WORKLOAD, "7")).isZero();
  }

  @Test
  void whatWasNotHeardOfIsNeverCarriedOutAtALaterVersion() {
    move(new WriteResult.Unanswered(""));

    assertThat(writeLock.unheard(WORKLOAD, "8")).isZero();
  }

  @Test
  void aConflictWasAnsweredAndIsNotCarriedOut() {
    move(new WriteResult.Conflict(""));

    assertThat(writeLock.unheard(WORKLOAD, "7")).isZero();
  }

  @Test
  void otherWorkloadsAreNotHeldUp() {
    move(new WriteResult.Unanswered(""));

    assertThat(
            writeLock
                .because(new ObjectKey("team", "other"), "7", () -> version, write("other", DONE))
                .isDone())
        .isTrue();
  }
}
