package dev.sluice.quota.cycle;

import static dev.sluice.quota.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.TestCluster;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopGuardTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final LoopGuard guard = new LoopGuard();
  private WorkloadState a;
  private WorkloadState b;

  @BeforeEach
  void twoWorkloads() {
    var cluster = TestCluster.classical().flavor("default").queue("q", cpu("1"));
    cluster.waiting("a", "q", 0, "1").waiting("b", "q", 1, "1");
    var states = cluster.engine().snapshot(cluster.now()).workloads().iterator();
    a = states.next();
    b = states.next();
  }

  private static List<Target> victim(WorkloadState workload) {
    return List.of(new Target(workload.key(), "q", Target.Why.IN_COHORT_FAIR_SHARING, false));
  }

  private void takeTurns(int turns) {
    for (int i = 0; i <= turns; i++) {
      guard.note(i % 2 == 0 ? a : b, i % 2 == 0 ? b : a, NOW);
    }
  }

  @Test
  void preemptingInOneDirectionIsNoLoopAsLongAsItHelps() {
    for (int i = 0; i < 20; i++) {
      guard.note(a, b, NOW);
      guard.served(a.key());
    }

    assertThat(guard.loopsWith(a, victim(b), NOW)).isNull();
  }

  @Test
  void preemptingInVainNamesTheOneWhoComesBack() {
    for (int i = 0; i < LoopGuard.MOST_TURNS; i++) {
      assertThat(guard.loopsWith(a, victim(b), NOW)).isNull();
      guard.note(a, b, NOW);
    }

    assertThat(guard.loopsWith(a, victim(b), NOW))
        .isNotNull()
        .extracting(Target::workload)
        .isEqualTo(b.key());
  }

  @Test
  void aCircleThatAlwaysLeadsBackIsALoopInTheEnd() {
    for (int i = 0; i < LoopGuard.MOST_MEETINGS; i++) {
      assertThat(guard.loopsWith(a, victim(b), NOW)).isNull();
      guard.note(a, b, NOW);
      guard.served(a.key());
    }

    assertThat(guard.loopsWith(a, victim(b), NOW)).isNotNull();
  }

  @Test
  void whatComesBackSeldomIsNoLoop() {
    Instant at = NOW;
    for (int i = 0; i < 10 * LoopGuard.MOST_MEETINGS; i++) {
      assertThat(guard.loopsWith(a, victim(b), at)).isNull();
      guard.note(a, b, at);
      guard.served(a.key());
      at = at.plus(Duration.ofMinutes(3));
    }
  }

  @Test
  void whatCouldNotBeStoredDoesNotCount() {
    for (int i = 0; i < 10 * LoopGuard.MOST_TURNS; i++) {
      assertThat(guard.loopsWith(a, victim(b), NOW)).isNull();
      guard.note(a, b, NOW);
      guard.undone(b.key());
    }
  }

  @Test
  void takingTurnsNamesTheOtherSide() {
    takeTurns(LoopGuard.MOST_TURNS - 1);
    assertThat(guard.loopsWith(b, victim(a), NOW)).isNull();

    guard.note(b, a, NOW);

    assertThat(guard.loopsWith(a, victim(b), NOW))
        .isNotNull()
        .extracting(Target::workload)
        .isEqualTo(b.key());
  }

  @Test
  void newQuotasGiveBothAnotherChance() {
    takeTurns(LoopGuard.MOST_TURNS);

    guard.forget();

    assertThat(guard.loopsWith(a, victim(b), NOW)).isNull();
  }
}
