package dev.sluice.scheduler.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.workload.Workload;
import dev.sluice.quota.world.ObjectKey;
import dev.sluice.scheduler.engine.StatusUpdate;
import dev.sluice.scheduler.engine.StatusUpdate.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits to be stored. */
class DeskTest {
  private static final Workload WORKLOAD = LifeStory.read(Workload.class, LifeStory.QUEUED);

  private final Desk desk = new Desk();

  private static StatusUpdate decided(Kind kind, String... made) {
    return new StatusUpdate(kind, WORKLOAD, WORKLOAD, "cq", List.of(made), "");
  }

  private Desk.Entry entry() {
    return desk.find(ObjectKey.of(WORKLOAD.metadata())).orElseThrow();
  }

  @Test
  void whyAWorkloadWaitsIsStoredInItsTurn() {
    desk.put(decided(Kind.PENDING));
    assertThat(entry().due()).isFalse();

    desk.release(ObjectKey.of(WORKLOAD.metadata()));
    assertThat(entry().due()).isTrue();
  }

  @Test
  void thatOthersGiveWayForItIsStoredAtOnceAndToldWhateverComesNext() {
    desk.put(decided(Kind.PENDING, "gives way"));
    assertThat(entry().due()).isTrue();

    desk.put(decided(Kind.RESERVED));
    assertThat(entry().decided().made()).containsExactly("gives way");
  }

  @Test
  void whatIsDecidedWhileSomethingIsStoredDoesNotTellThatAgain() {
    desk.put(decided(Kind.PENDING, "gives way"));
    Desk.Entry stored = entry();
    desk.put(decided(Kind.PENDING, "another"));

    desk.stored(stored);
    assertThat(entry().decided().made()).containsExactly("another");

    desk.stored(entry());
    assertThat(desk.size()).isZero();
  }
}
