package dev.sluice.see.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.Requeuing;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.Queues;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CourseTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Queues queues = new Queues();
  private final ObjectKey second = new ObjectKey("a", "second");
  private final ObjectKey third = new ObjectKey("a", "third");

  /** Two cpus; the first has both for ten minutes, the others wait. */
  @BeforeEach
  void aQueueThatIsFull() {
    queues.clusterQueue("cq", 2, "'preemption':{'withinClusterQueue':'LowerPriority'},");
    queues.localQueue("a", "q", "cq");
    queues.workload("a", "first", "q", 2, "'maximumExecutionTimeSeconds':600,");
    queues.rest();
    queues.workload("a", "second", "q", 2, "'maximumExecutionTimeSeconds':300,");
    queues.workload("a", "third", "q", 1, "");
    queues.rest();
  }

  private Course.Played played(Duration time) {
    return Course.play(
            List.of(queues.engine().fork()),
            queues.now(),
            KnownRuns.none(queues.now()),
            time,
            _ -> true,
            () -> true)
        .getFirst();
  }

  private Optional<Instant> after(int seconds) {
    return Optional.of(queues.now().plusSeconds(seconds));
  }

  @Test
  void eachStartsWhenThoseBeforeItHaveEnded() {
    Course.Played played = played(HOUR);

    assertThat(played.starts()).containsEntry(second, after(600)).containsEntry(third, after(900));
    assertThat(played.whole()).isTrue();
    assertThat(played.until()).isEqualTo(queues.now().plus(HOUR));
  }

  @Test
  void withBlockAdmissionPodsOfWhoStartsAreReadyAtOnce() {
    var requeuing = new Requeuing(true, OptionalInt.empty(), Duration.ofMinutes(1), HOUR);
    var waits = new WaitForPodsReady(Duration.ofMinutes(5), Duration.ofMinutes(5), true, requeuing);
    var wide = new Queues(EngineConfiguration.defaults().withWaitForPodsReady(waits));
    wide.clusterQueue("cq", 2, "");
    wide.localQueue("a", "q", "cq");
    wide.workload("a", "second", "q", 1, "'maximumExecutionTimeSeconds':600,");
    wide.workload("a", "third", "q", 1, "'maximumExecutionTimeSeconds':600,");

    Course.Played played =
        Course.play(
                List.of(wide.engine()),
                wide.now(),
                KnownRuns.none(wide.now()),
                HOUR,
                _ -> true,
                () -> true)
            .getFirst();

    assertThat(played.starts()).containsEntry(second, after(0)).containsEntry(third, after(0));
  }

  @Test
  void beyondTheEndNothingStarts() {
    assertThat(played(Duration.ofSeconds(899)).starts())
        .containsEntry(second, after(600))
        .containsEntry(third, Optional.empty());
  }

  @Test
  void whoIsEvictedOnTheWayStartsAgain() {
    queues.workload("a", "urgent", "q", 2, "'priority':9,'maximumExecutionTimeSeconds':60,");

    Course.Played played = played(HOUR);

    assertThat(played.starts())
        .containsEntry(new ObjectKey("a", "urgent"), after(0))
        .containsEntry(new ObjectKey("a", "first"), after(60))
        .containsEntry(second, after(660));
  }

  @Test
  void whereNobodyKnowsHowLongAJobRunsTheOthersWait() {
    queues.workload("a", "endless", "q", 2, "'priority':9,");

    assertThat(played(HOUR).starts()).containsEntry(second, Optional.empty());
  }

  @Test
  void whenTheTimeIsOverWhatIsKnownIsSaid() {
    List<Course.Played> played =
        Course.play(
            List.of(queues.engine().fork(), queues.engine().fork()),
            queues.now(),
            KnownRuns.none(queues.now()),
            HOUR,
            _ -> true,
            new Some(2)::goOn);

    assertThat(played)
        .allSatisfy(
            it -> {
              assertThat(it.whole()).isFalse();
              assertThat(it.until()).isEqualTo(queues.now().plusSeconds(600));
              assertThat(it.starts())
                  .containsEntry(second, after(600))
                  .containsEntry(third, Optional.empty());
            });
  }

  /** Time for so many events. */
  private static final class Some {
    private int left;

    Some(int events) {
      left = events;
    }

    boolean goOn() {
      return left-- > 0;
    }
  }
}
