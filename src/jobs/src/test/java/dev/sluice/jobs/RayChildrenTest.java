package dev.sluice.jobs;

import static dev.sluice.jobs.Rays.CLUSTER;
import static dev.sluice.jobs.Rays.JOB;
import static dev.sluice.jobs.Rays.SERVICE;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that the operator of Ray makes for a RayJob: they run with the quota of the RayJob. */
class RayChildrenTest {
  private final TestCluster world = Rays.world();

  @BeforeEach
  void runARayJob() {
    run(Rays.job());
  }

  private void run(ObjectNode job) {
    if (world.find(JOB.kind(), "ns", "j").isPresent()) {
      world.delete(JOB);
      world.settle(JOB);
      world.collectGarbage();
      world.settle(JOB);
      world.delete(CLUSTER);
      world.delete(Jobs.KEY);
    }
    world.add(job.toString());
    world.settle(JOB);
    world.changeWorkload(world.onlyWorkloadName(), Admissions::admit);
    world.settle(JOB);
    JsonNode owner = world.get(JOB);
    world.add(Rays.child(owner, owner.at("/spec/rayClusterSpec")).toString());
    ObjectNode submitter = json(Jobs.job("j", 1, 1));
    submitter.withObject("/spec").put("suspend", false);
    submitter.withObject("/metadata").remove("labels");
    Rays.controlledBy(submitter, world.get(CLUSTER));
    world.add(submitter.toString());
    settle();
    world.forgetEvents();
  }

  private void settle() {
    world.settle(JOB);
    world.settle(CLUSTER);
    world.settle(Jobs.KEY);
  }

  private boolean clusterRuns() {
    return !world.get(CLUSTER).at("/spec/suspend").asBoolean();
  }

  private boolean submitterRuns() {
    return !world.get(Jobs.KEY).at("/spec/suspend").asBoolean();
  }

  @Test
  void haveNoWorkloadOfTheirOwn() {
    assertThat(world.workloads()).hasSize(1);
    assertThat(clusterRuns()).isTrue();
    assertThat(submitterRuns()).isTrue();
    assertThat(world.plan(CLUSTER).writes()).isEmpty();
  }

  @Test
  void stopWhenTheRayJobLosesItsQuotaAndResumeWithIt() {
    String workload = world.onlyWorkloadName();
    world.changeWorkload(
        workload, it -> Admissions.condition(it, "Admitted", false, "NoReservation", "m"));
    settle();
    assertThat(clusterRuns()).isFalse();
    assertThat(submitterRuns()).isFalse();
    assertThat(world.eventReasons()).contains("Suspended", "Suspended");

    world.changeWorkload(workload, Admissions::admit);
    settle();
    assertThat(clusterRuns()).isTrue();
    assertThat(submitterRuns()).isTrue();
  }

  @Test
  void theClusterStopsAsSoonAsTheRayJobIsEvicted() {
    world.change(CLUSTER, it -> Rays.state(it, "ready"));
    world.changeWorkload(world.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    settle();

    assertThat(clusterRuns()).isFalse();
  }

  @Test
  void aClusterThatWasMadeSuspendedIsLetGo() {
    world.change(CLUSTER, it -> it.withObject("/spec").put("suspend", true));
    settle();

    assertThat(clusterRuns()).isTrue();
    assertThat(world.eventMessages()).containsExactly("Started: Kueue managed child job resumed");
  }

  @Test
  void areAllPlannedWhenTheWorkloadChanges() {
    assertThat(world.planner().touchedBy(world, WorkloadView.KIND, world.onlyWorkload()))
        .contains(JOB, CLUSTER, Jobs.KEY);
  }

  @Test
  void stopWhenTheRayJobHasEnded() {
    world.change(
        JOB,
        it ->
            it.set(
                "status", json("{'jobDeploymentStatus': 'Complete', 'jobStatus': 'SUCCEEDED'}")));
    settle();

    assertThat(clusterRuns()).isFalse();
  }

  @Test
  void runOnWhileAnElasticRayJobWaitsToGrow() {
    run(Rays.elastic(Rays.job()));
    world.change(
        JOB,
        it -> it.set("status", json("{'jobDeploymentStatus': 'Running', 'rayClusterName': 'c'}")));
    world.change(
        CLUSTER, it -> ((ObjectNode) it.at("/spec/workerGroupSpecs/0")).put("replicas", 5));
    settle();

    assertThat(world.workloads()).hasSize(2);
    assertThat(clusterRuns()).isTrue();
    assertThat(submitterRuns()).isTrue();
  }

  @ParameterizedTest(name = "evicted {0}")
  @ValueSource(booleans = {true, false})
  void ofAnElasticRayJobStopWhenItIsEvicted(boolean evicted) {
    run(Rays.elastic(Rays.job()));
    world.changeWorkload(
        world.onlyWorkloadName(),
        it -> {
          Admissions.condition(it, "Admitted", false, "m", "m");
          if (evicted) {
            Admissions.evict(it, "Preempted", "m");
          }
        });
    world.settle(CLUSTER);

    assertThat(clusterRuns()).isEqualTo(!evicted);
  }

  @Test
  void areGatheredBeforeTheirOwnerIsPlanned() {
    JobPlanner planner = world.planner();
    ObjectChange change = Admissions.admission();
    for (JobKey owner : List.of(JOB, SERVICE)) {
      assertThat(planner.gathering(CLUSTER.kind(), change, owner)).isPositive();
      assertThat(planner.gathering(WorkloadView.KIND, change, owner)).as("admitted").isZero();
      assertThat(planner.gathering(owner.kind(), change, owner)).as("of itself").isZero();
    }
  }
}
