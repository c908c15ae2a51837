package dev.sluice.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ExponentialBackoff;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusedWritesTest {
  private static final long START = Long.MAX_VALUE - 5; // a monotonic clock may overflow

  private final RefusedWrites refused =
      new RefusedWrites(new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(32)));

  private static long after(int seconds) {
    return START + Duration.ofSeconds(seconds).toNanos();
  }

  private static Write status(String queue, String version, int pending) {
    return new Write.MergePatch(
        new ObjectRef(ApiKind.CLUSTER_QUEUE.hub(), "", queue, "uid-of-" + queue),
        "status",
        JsonNodeFactory.instance.objectNode().put("pendingWorkloads", pending),
        "kueue",
        version);
  }

  @Test
  void aRefusedStatusIsLeftOutForAGrowingTimeAndTheOthersAreNot() {
    Write other = status("b", "1", 0);
    refused.refused(status("a", "1", 0), START);

    assertThat(refused.due(List.of(status("a", "1", 1), other), after(0))).containsExactly(other);
    assertThat(refused.left(after(0))).isEqualTo(Duration.ofSeconds(1).toNanos());
    assertThat(refused.due(List.of(status("a", "1", 1), other), after(1))).hasSize(2);

    refused.refused(status("a", "1", 1), after(1));

    assertThat(refused.due(List.of(status("a", "1", 1), other), after(2))).containsExactly(other);
    assertThat(refused.left(after(2))).isEqualTo(Duration.ofSeconds(1).toNanos());
    assertThat(refused.due(List.of(status("a", "1", 1), other), after(3))).hasSize(2);
  }

  @Test
  void anObjectThatChangedIsTriedAtOnce() {
    refused.refused(status("a", "1", 0), START);

    Write changed = status("a", "2", 0);

    assertThat(refused.due(List.of(changed), after(0))).containsExactly(changed);
  }

  @Test
  void whatIsNotPlannedAnyMoreIsForgotten() {
    refused.refused(status("a", "1", 0), START);

    assertThat(refused.due(List.of(), after(0))).isEmpty();
    assertThat(refused.left(after(0))).isEqualTo(Long.MAX_VALUE);
  }
}
