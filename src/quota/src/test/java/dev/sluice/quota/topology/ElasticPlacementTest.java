package dev.sluice.quota.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.core.Pod;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.decision.Decision;
import dev.sluice.testkit.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that grow and shrink while topology-aware scheduling places their pods. */
class ElasticPlacementTest {
  private static final String ANYWHERE = ",'topologyRequest':{'unconstrained':true}";

  private final TopologyCluster cluster = elastic(true);

  private static TopologyCluster elastic(boolean on) {
    return TopologyCluster.with(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS, on)
        .node("r1", "a", 2)
        .node("r1", "b", 2)
        .node("r2", "c", 4);
  }

  /** A slice of job {@code j} with so many pods, each of one core; null replaces nothing. */
  private static void slice(
      TopologyCluster cluster, String name, String replaces, String request, int... pods) {
    slice(cluster, name, replaces, request, "{'cpu':'1'}", pods);
  }

  private static void slice(
      TopologyCluster cluster,
      String name,
      String replaces,
      String request,
      String requests,
      int... pods) {
    String taken =
        replaces.isEmpty()
            ? ""
            : ",'kueue.x-k8s.io/workload-slice-replacement-for':'default/" + replaces + "'";
    TestCluster.WorkloadBuilder workload =
        cluster
            .cluster()
            .workload(name, "main")
            .metadata(
                "'annotations':{'kueue.x-k8s.io/workload-slice-name':'%s'%s}"
                    .formatted(name.replaceAll("[0-9]+$", "1"), taken));
    for (int i = 0; i < pods.length; i++) {
      workload.podSet(i == 0 ? "main" : "more", pods[i], request, requests, "");
    }
    workload.put();
  }

  private void slice(String name, String replaces, int... pods) {
    slice(cluster, name, replaces, ANYWHERE, pods);
  }

  /** The job has only so many pods now: its workload asks for them in place. */
  private static void shrink(TopologyCluster cluster, String name, int pods) {
    Workload old = cluster.cluster().get(name);
    WorkloadSpec spec = old.spec();
    PodSet podSet = spec.podSets().getFirst();
    List<PodSet> podSets =
        List.of(new PodSet(podSet.name(), podSet.template(), pods, null, podSet.topologyRequest()));
    cluster
        .cluster()
        .apply(
            Change.upserted(
                ObjectKind.WORKLOAD,
                old.with(
                    new WorkloadSpec(
                        podSets,
                        spec.queueName(),
                        spec.priorityClassRef(),
                        spec.priority(),
                        spec.active(),
                        spec.maximumExecutionTimeSeconds(),
                        spec.preemptionGates()))));
  }

  @Test
  void onlyThePodsThatAreNewArePlacedAndTheOthersStay() {
    slice("j1", "", 2);
    assertThat(cluster.placed("j1")).isEqualTo("a=2");

    slice("j2", "j1", 3);

    assertThat(cluster.placed("j2")).isEqualTo("a=2 b=1"); // alone, three would be on c
    assertThat(cluster.cluster().conditions("j1"))
        .containsEntry("Finished", "True WorkloadSliceReplaced");
  }

  @Test
  void withoutTheGateAllPodsArePlacedAnew() {
    TopologyCluster off = elastic(false);
    slice(off, "j1", "", ANYWHERE, 2);
    assertThat(off.placed("j1")).isEqualTo("a=2");

    slice(off, "j2", "j1", ANYWHERE, 3);

    assertThat(off.placed("j2")).isEqualTo("c=3");
  }

  @Test
  void whatGrewTwiceIsAgainPlacedBesideWhereItIs() {
    slice("j1", "", 1);
    assertThat(cluster.placed("j1")).isEqualTo("a=1");
    slice("j2", "j1", 3);
    assertThat(cluster.placed("j2")).isEqualTo("a=1 b=2");
    slice("j3", "j2", 6);
    assertThat(cluster.placed("j3")).isEqualTo("a=1 b=2 c=3"); // c is the first that holds three
  }

  /** On a, two pods and then one on b: the third would not be there if all were placed anew. */
  @ParameterizedTest(name = "{0} and {1} pods")
  @CsvSource({
    "3, 2, a=2 b=1; b=1 c=1", // the second grows, the first is as it was
    "2, 2, a=2; b=1 c=1", // the first shrinks: without its last place
    "1, 3, a=1; b=1 c=2"
  })
  void ofTwoPodSetsEachKeepsItsPlacesButForTheLastOfThoseItHasTooMany(
      int first, int second, String places) {
    slice("j1", "", 2, 0);
    assertThat(cluster.placed("j1")).isEqualTo("a=2; anywhere");
    slice("j2", "j1", 3, 1);
    assertThat(cluster.placed("j2")).isEqualTo("a=2 b=1; b=1");

    slice("j3", "j2", first, second);

    assertThat(cluster.placed("j3")).isEqualTo(places);
  }

  @Test
  void aSliceOfAsManyPodsHasThePlacesOfTheOneBefore() {
    slice("j1", "", 2);
    cluster.cluster().cycle();
    slice("j2", "j1", 3);
    assertThat(cluster.placed("j2")).isEqualTo("a=2 b=1");

    slice("j3", "j2", 3);

    assertThat(cluster.placed("j3")).isEqualTo("a=2 b=1");
  }

  @Test
  void ifOneOfThePlacesIsNotThereAnyMoreAllPodsArePlacedAnew() {
    slice("j1", "", 2);
    cluster.cluster().cycle();
    slice("j2", "j1", 3);
    assertThat(cluster.placed("j2")).isEqualTo("a=2 b=1");
    cluster.noNode("b");

    slice("j3", "j2", 4);

    assertThat(cluster.placed("j3")).isEqualTo("c=4");
  }

  @Test
  void podsThatNeedMoreThanBeforeArePlacedAnew() {
    slice("j1", "", 2);
    assertThat(cluster.placed("j1")).isEqualTo("a=2");

    slice(cluster, "j2", "j1", ANYWHERE, "{'cpu':'2'}", 2);

    assertThat(cluster.placed("j2")).isEqualTo("c=2");
  }

  @Test
  void growsInsideTheRackThatItMustBeInAndWaitsWhenThatIsFull() {
    String rack = ",'topologyRequest':{'required':'rack'}";
    cluster.node("r2", "d", 2);
    slice(cluster, "j1", "", rack, 3);
    assertThat(cluster.placed("j1")).isEqualTo("a=2 b=1");
    slice(cluster, "j2", "j1", rack, 4);
    assertThat(cluster.placed("j2")).isEqualTo("a=2 b=2");

    slice(cluster, "j3", "j2", rack, 5);

    assertThat(cluster.placed("j3")).isEqualTo("nowhere");
    assertThat(cluster.where("j2")).isEqualTo("a=2 b=2");
    assertThat(cluster.reason("j3")).isEqualTo("False TopologyPlacementFailed");
  }

  @Test
  void waitsForThePodsItLacksARoomForAndNamesThoseAlone() {
    slice("j1", "", 2);
    assertThat(cluster.placed("j1")).isEqualTo("a=2");
    cluster.workload("w", 4, "'required':'kubernetes.io/hostname'");
    assertThat(cluster.placed("w")).isEqualTo("c=4");

    slice("j2", "j1", 5);

    assertThat(cluster.placed("j2")).isEqualTo("nowhere");
    assertThat(cluster.where("j1")).isEqualTo("a=2");
    assertThat(cluster.message("j2")).contains("2 of 3 pods");
    cluster.cluster().delete("w");
    assertThat(cluster.placed("j2")).isEqualTo("a=2 c=3");
  }

  @Test
  void othersGiveWayForThePodsThatItLacksOnly() {
    String preempts = ",'preemption':{'withinClusterQueue':'LowerPriority'}";
    cluster
        .cluster()
        .queue("main", TestCluster.groups(TestCluster.quota("cpu", "tas 1000000")) + preempts);
    slice("j1", "", 2);
    assertThat(cluster.placed("j1")).isEqualTo("a=2");
    for (String name : List.of("v", "w")) {
      cluster
          .cluster()
          .workload(name, "main")
          .priority(-1)
          .podSet("main", name.equals("v") ? 2 : 4, ANYWHERE, "{'cpu':'1'}", "")
          .put();
      cluster.cluster().cycle();
    }
    assertThat(cluster.where("v") + " " + cluster.where("w")).isEqualTo("b=2 c=4");

    slice("j2", "j1", 4);

    assertThat(cluster.decision("j2")).isInstanceOf(Decision.Preempting.class);
    assertThat(cluster.cluster().conditions("v")).containsEntry("Evicted", "True Preempted");
    assertThat(cluster.cluster().conditions("w")).doesNotContainKey("Evicted");
    assertThat(cluster.cluster().conditions("j1")).doesNotContainKey("Evicted");
    cluster.cluster().delete("v");
    assertThat(cluster.placed("j2")).isEqualTo("a=2 b=2");
  }

  @Test
  void aNodeThatShrankUnderItsPodsDoesNotKeepTheJobFromGrowing() {
    slice("j1", "", 2);
    assertThat(cluster.placed("j1")).isEqualTo("a=2");
    cluster.node("r1", "a", 1);

    slice("j2", "j1", 3);

    assertThat(cluster.placed("j2")).isEqualTo("a=2 b=1");
  }

  @Test
  void aJobThatShrankGivesItsLastPlacesBack() {
    slice("j1", "", 1);
    assertThat(cluster.placed("j1")).isEqualTo("a=1");
    slice("j2", "j1", 3);
    assertThat(cluster.placed("j2")).isEqualTo("a=1 b=2");
    cluster.workload("w", 4, "'required':'kubernetes.io/hostname'");
    assertThat(cluster.placed("w")).isEqualTo("c=4");
    cluster.workload("v", 2, "'required':'kubernetes.io/hostname'");
    assertThat(cluster.placed("v")).isEqualTo("nowhere");

    shrink(cluster, "j2", 1);

    assertThat(cluster.placed("v")).isEqualTo("b=2");
    slice("j3", "j2", 2);
    assertThat(cluster.placed("j3")).isEqualTo("a=2");
  }

  @Test
  void aPodThatRunsOnAPlaceThatWasGivenBackKeepsOthersFromThere() {
    slice("j1", "", 1);
    cluster.cluster().cycle();
    slice("j2", "j1", 3);
    assertThat(cluster.placed("j2")).isEqualTo("a=1 b=2");
    elasticPod("p", "b", "Running"); // the job ended the one on a, and one of those on b

    shrink(cluster, "j2", 1);

    cluster.workload("v", 2, "'required':'kubernetes.io/hostname'");
    assertThat(cluster.placed("v")).isEqualTo("c=2");
    cluster.workload("u", 1, "'required':'kubernetes.io/hostname'");
    assertThat(cluster.placed("u")).isEqualTo("a=1");
  }

  @Test
  void podsCountInThePlacesOfWhicheverSliceHoldsThem() {
    slice("j1", "", 2);
    cluster.cluster().cycle();
    elasticPod("p", "a", "Running");
    elasticPod("q", "a", "Running");
    slice("j2", "j1", 3);
    assertThat(cluster.placed("j2")).isEqualTo("a=2 b=1");
    cluster.node("r1", "a", 3);

    cluster.workload("v", 1, "'required':'kubernetes.io/hostname'");

    assertThat(cluster.placed("v")).isEqualTo("a=1"); // p and q are those of j2 now
  }

  /** A pod of one core of job {@code j}, which names the first of its workloads. */
  private void elasticPod(String name, String host, String phase) {
    cluster
        .cluster()
        .apply(
            Change.upserted(
                ObjectKind.POD,
                TestCluster.read(
                    Pod.class,
                    """
                    {'metadata':{'name':'%s','namespace':'default','annotations':{
                    'kueue.x-k8s.io/workload':'j1','kueue.x-k8s.io/workload-slice-name':'j1',
                    'kueue.x-k8s.io/podset-unconstrained-topology':'true'}},
                    'spec':{'nodeName':'%s','nodeSelector':{'kubernetes.io/hostname':'%2$s'},
                    'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]},
                    'status':{'phase':'%s'}}\
                    """
                        .formatted(name, host, phase))));
  }

  static LongStream seeds() {
    return LongStream.range(0, Tier.number(3, 30));
  }

  /** Jobs come, grow, shrink and end on nodes that hardly hold them. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noPodOfAJobThatGrowsMovesAndNoHostIsBookedTwice(long seed) {
    var random = new Random(seed);
    TopologyCluster world =
        TopologyCluster.with(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS, true);
    for (int i = 0; i < 8; i++) {
      world.node("r" + i / 4, "n" + i, 4);
    }
    Map<String, Integer> slices = new TreeMap<>(); // the number of the slice that runs, by job
    int grown = 0;
    for (int step = 0; step < 200; step++) {
      String job = "job-" + random.nextInt(8) + "x";
      int number = slices.getOrDefault(job, 0);
      String running = job + number;
      switch (number == 0 ? 0 : 1 + random.nextInt(6)) {
        case 0 -> {
          slice(world, job + 1, "", ANYWHERE, 1 + random.nextInt(5));
          slices.put(job, 1);
        }
        case 1 -> {
          world.cluster().delete(running);
          slices.remove(job);
        }
        case 2 -> {
          int pods = pods(world, running);
          if (world.cluster().reserved(running) && pods > 1) {
            shrink(world, running, 1 + random.nextInt(pods - 1));
          }
        }
        default -> {
          if (world.cluster().reserved(running)) {
            Map<String, Integer> before = held(world, running);
            String next = job + (number + 1);
            slice(world, next, running, ANYWHERE, pods(world, running) + 1 + random.nextInt(4));
            world.cluster().cycle();
            if (world.cluster().reserved(next)) {
              held(world, next).forEach((host, pods) -> before.merge(host, -pods, Integer::sum));
              assertThat(before.values()).as("step %d", step).allMatch(it -> it <= 0);
              world.cluster().delete(running);
              slices.put(job, number + 1);
              grown++;
            } else {
              world.cluster().delete(next);
            }
          }
        }
      }
      world.cluster().cycle();
      Map<String, Integer> sum = new TreeMap<>();
      slices.forEach(
          (name, slice) ->
              held(world, name + slice).forEach((h, pods) -> sum.merge(h, pods, Integer::sum)));
      assertThat(sum.values()).as("step %d: %s", step, sum).allMatch(it -> it <= 4);
      assertThat(world.cluster().engine().snapshot(world.cluster().now()).overbooked()).isEmpty();
    }
    assertThat(grown).isPositive();
  }

  private static int pods(TopologyCluster world, String workload) {
    return world.cluster().get(workload).spec().podSets().getFirst().count();
  }

  /** The pods on each host. */
  private static Map<String, Integer> held(TopologyCluster world, String name) {
    Workload workload = world.cluster().get(name);
    Admission admission = workload.status().admission();
    Map<String, Integer> held = new HashMap<>();
    List<PodSetAssignment> all = new ArrayList<>();
    if (admission != null) {
      all.addAll(admission.podSetAssignments());
    }
    for (PodSetAssignment assignment : all) {
      PodPlacement places = AssignmentCodec.held(assignment, workload.spec().podSets().getFirst());
      if (places == null) {
        throw new AssertionError(name + " has no possible places");
      }
      places.domains().forEach(d -> held.merge(d.values().getLast(), d.pods(), Integer::sum));
    }
    return held;
  }
}
