package dev.sluice.multicluster.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A Workload of a job that has several, when another one stands for the job on workers. */
class CarriedTest {
  private final Scene scene = new Scene("a", "b");

  CarriedTest() {
    scene.owner = scene.owner.map(Owner::carried);
    scene.constraint = new PlacementConstraint.Follow("a");
  }

  @Test
  void itIsOfferedWhereTheFirstOneIsAndMakesNoJobThere() {
    scene.nominated("a");

    assertThat(Scene.at(scene.plan(), "a")).containsExactly("create Workload");
    assertThat(scene.plan().asks()).isEmpty();
  }

  @Test
  void itIsChosenOnceItIsAdmittedThere() {
    scene.nominated("a").admittedAt("a");

    Plan plan = scene.plan();

    assertThat(plan.remote()).isEmpty();
    assertThat(scene.checkAfter(plan)).isEqualTo("Ready: The workload was admitted on \"a\"");
  }

  @Test
  void itRunsThereWithoutAJobOfItsOwn() {
    scene.chosen("a").admittedAt("a");

    Plan plan = scene.plan();

    assertThat(plan.remote()).isEmpty();
    assertThat(scene.checkAfter(plan)).isEqualTo("unchanged");
  }

  @Test
  void itGoesWhenTheFirstOneDoes() {
    scene.chosen("a").admittedAt("a");

    for (String elsewhere : new String[] {"", "b"}) {
      scene.constraint = new PlacementConstraint.Follow(elsewhere);
      assertThat(scene.checkAfter(scene.plan()))
          .isEqualTo(
              "Retry: The first workload of its job is not on this cluster any more, Previously:"
                  + " \"Ready\"");
    }
  }

  @Test
  void itsQuotaHereIsKeptUntilTheWorkerHasStoppedItsPods() {
    scene.chosen("a").evictedHere("preempted").admittedAt("a");

    Plan plan = scene.plan();

    assertThat(plan.stop()).isEqualTo(Plan.Stop.MAY_RUN);
    assertThat(Scene.at(plan, "a")).containsExactly("patch Workload/status @3");
  }
}
