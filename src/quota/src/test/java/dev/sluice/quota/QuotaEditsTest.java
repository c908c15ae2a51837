package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.groups;
import static dev.sluice.quota.TestCluster.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Whom an edit of quotas or rules wakes. In the queues x and y of cohort c, and in z of cohort d,
 * one waits for cpu of flavor a and one for memory of flavor b; x holds some of the cpu.
 */
class QuotaEditsTest {
  private static final String CPU = quota("cpu", "a 4");
  private static final String MEMORY = quota("memory", "b 4");
  private static final String BOTH = groups(CPU, MEMORY);
  private static final String IN_C = ",'cohortName':'c'";
  private static final String IN_D = ",'cohortName':'d'";

  static final List<Arguments> EDITS =
      List.of(
          edit("nominal cpu of x", x(groups(quota("cpu", "a 5"), MEMORY) + IN_C), "x-cpu y-cpu"),
          edit(
              "borrowing limit of memory in x",
              x(groups(CPU, quota("memory", "b 4 9")) + IN_C),
              "x-memory y-memory"),
          edit(
              "lending limit of cpu in x",
              x(groups(quota("cpu", "a 4 - 1"), MEMORY) + IN_C),
              "x-cpu y-cpu"),
          edit("weight of x", x(BOTH + IN_C + ",'fairSharing':{'weight':'3'}"), ""),
          edit("status of x", cluster -> cluster.apply(withStatus()), ""),
          edit("the same again", x(BOTH + IN_C), ""),
          edit(
              "preemption of x",
              x(BOTH + IN_C + ",'preemption':{'withinClusterQueue':'LowerPriority'}"),
              "x-cpu x-memory"),
          edit(
              "fungibility of x",
              x(BOTH + IN_C + ",'flavorFungibility':{'whenCanBorrow':'TryNextFlavor'}"),
              "x-cpu x-memory"),
          edit("x is stopped", x(BOTH + IN_C + ",'stopPolicy':'Hold'"), "x-cpu y-cpu"),
          edit(
              "another resource in x",
              x(groups(CPU, MEMORY, quota("gpu", "a 1")) + IN_C),
              "x-cpu x-gpu x-memory"),
          edit("memory goes from x", x(groups(CPU) + IN_C), "x-cpu x-gpu x-memory y-memory"),
          edit("x leaves its cohort", x(BOTH), "x-cpu x-gpu x-memory y-cpu y-memory"),
          edit(
              "x moves to d", x(BOTH + IN_D), "x-cpu x-gpu x-memory y-cpu y-memory z-cpu z-memory"),
          edit(
              "x moves to d without its memory",
              x(groups(CPU) + IN_D),
              "x-cpu x-gpu x-memory y-cpu y-memory z-cpu"),
          edit(
              "a queue with cpu comes to c",
              cluster -> cluster.queue("new", groups(CPU) + IN_C),
              "x-cpu y-cpu"),
          edit("x goes", cluster -> cluster.gone(ObjectKind.CLUSTER_QUEUE, "x"), "y-cpu y-memory"),
          edit(
              "cohort c gets cpu of its own",
              cluster -> cluster.cohort("c", groups(CPU)),
              "x-cpu y-cpu"),
          edit("weight of c", cluster -> cluster.cohort("c", "'fairSharing':{'weight':'2'}"), ""),
          edit(
              "c joins d",
              cluster -> cluster.cohort("c", "'parentName':'d'"),
              "x-cpu x-gpu x-memory y-cpu y-memory z-cpu z-memory"),
          edit(
              "a cohort of nobody joins d",
              cluster -> cluster.cohort("new", "'parentName':'d'"),
              "z-cpu z-memory"));

  private static Arguments edit(String name, Consumer<TestCluster> edit, String woken) {
    return Arguments.of(name, edit, woken);
  }

  private static Consumer<TestCluster> x(String members) {
    return cluster -> cluster.queue("x", members);
  }

  private static Change withStatus() {
    ClusterQueue queue = TestCluster.clusterQueue("x", BOTH + IN_C);
    ClusterQueue written =
        TestCluster.read(
            ClusterQueue.class,
            "{'metadata':{'name':'x','resourceVersion':'77'},'status':{'pendingWorkloads':3}}");
    return Change.upserted(
        ObjectKind.CLUSTER_QUEUE,
        new ClusterQueue(written.metadata(), queue.spec(), written.status()));
  }

  private static TestCluster cluster(EngineConfiguration configuration) {
    var cluster = new TestCluster(configuration).flavor("a").flavor("b");
    cluster.queue("x", BOTH + IN_C).queue("y", BOTH + IN_C).queue("z", BOTH + IN_D);
    cluster.workload("holder", "x").cpu("1").holding("a", "1", 60).put();
    for (String queue : List.of("x", "y", "z")) {
      wait(cluster, queue, "cpu");
      wait(cluster, queue, "memory");
    }
    wait(cluster, "x", "gpu"); // which no queue covers
    cluster.rest();
    assertThat(pending(cluster)).isEmpty();
    return cluster;
  }

  private static void wait(TestCluster cluster, String queue, String resource) {
    cluster
        .workload(queue + "-" + resource, queue)
        .pods(1, "{'%s':'100'}".formatted(resource))
        .put();
  }

  private static String pending(TestCluster cluster) {
    List<String> woken = new ArrayList<>();
    cluster
        .engine()
        .snapshot(cluster.now())
        .clusterQueues()
        .forEach(queue -> woken.addAll(cluster.pending(queue)));
    woken.sort(null);
    return String.join(" ", woken);
  }

  @ParameterizedTest(name = "{0}: {2}")
  @FieldSource("EDITS")
  void anEditWakesThoseWhoseVerdictItCanHaveChanged(
      String name, Consumer<TestCluster> edit, String woken) {
    var cluster = cluster(EngineConfiguration.defaults());

    edit.accept(cluster);

    assertThat(pending(cluster)).as(name).isEqualTo(woken);
  }

  @Test
  void aQueueThatGoesOnMayHaveItsHoldersPreemptedAgain() {
    var cluster = cluster(EngineConfiguration.defaults());
    cluster.queue("x", BOTH + IN_C + ",'stopPolicy':'Hold'");
    cluster.rest();

    cluster.queue("x", BOTH + IN_C);

    assertThat(pending(cluster)).isEqualTo("x-cpu x-gpu x-memory y-cpu");
  }

  @Test
  void whereSharesDecideTheyListenToEveryPairAndEveryWeight() {
    var cluster = cluster(EngineConfiguration.defaults().withFairSharing(FairSharing.BOTH));
    cluster.queue("y", BOTH + IN_C + ",'preemption':{'reclaimWithinCohort':'Any'}");
    cluster.rest();

    cluster.queue("x", BOTH + IN_C + ",'fairSharing':{'weight':'3'}");
    assertThat(pending(cluster)).isEqualTo("y-cpu y-memory");
    cluster.rest();
    cluster.queue("x", groups(CPU, quota("memory", "b 5")) + IN_C);
    assertThat(pending(cluster)).isEqualTo("x-memory y-cpu y-memory");
  }

  @Test
  void whereSharesDecideTheyListenToPairsThatNobodyOfTheirQueueAsksFor() {
    var cluster = cluster(EngineConfiguration.defaults().withFairSharing(FairSharing.BOTH));
    cluster.queue("v", groups(CPU) + IN_C + ",'preemption':{'reclaimWithinCohort':'Any'}");
    wait(cluster, "v", "cpu");
    cluster.rest();

    cluster.queue("x", groups(CPU, quota("memory", "b 5")) + IN_C);
    assertThat(pending(cluster)).isEqualTo("v-cpu x-memory y-memory");
  }

  @Test
  void onlyThoseOutsideItsNamespacesListenToASelector() {
    var cluster = cluster(EngineConfiguration.defaults());
    String selected =
        "{'metadata':{'name':'n'},'spec':{'namespaceSelector':{'matchLabels':%s},%s}}";
    cluster.apply(queue(selected.formatted("{'team':'t'}", BOTH)));
    cluster.localQueue("n", "n");
    wait(cluster, "n", "cpu");
    cluster.rest();
    assertThat(cluster.inadmissible("n")).containsExactly("n-cpu");

    cluster.apply(queue(selected.formatted("{'team':'u'}", BOTH)));

    assertThat(pending(cluster)).isEqualTo("n-cpu");
    cluster.rest();
    cluster.namespace("elsewhere");
    assertThat(pending(cluster)).isEmpty();
  }

  private static Change queue(String json) {
    return Change.upserted(ObjectKind.CLUSTER_QUEUE, TestCluster.read(ClusterQueue.class, json));
  }

  @Test
  void aStrictQueueIsLookedAtOnlyWhereItsHeadMayBeServedNow() {
    var cluster = cluster(EngineConfiguration.defaults());
    cluster.queue("s", BOTH + IN_C + ",'queueingStrategy':'StrictFIFO'");
    wait(cluster, "s", "cpu");
    cluster.rest();

    cluster.queue("x", groups(CPU, quota("memory", "b 5")) + IN_C);
    assertThat(heads(cluster)).doesNotContain("s-cpu");
    cluster.rest();
    cluster.queue("x", groups(quota("cpu", "a 5"), quota("memory", "b 5")) + IN_C);
    assertThat(heads(cluster)).contains("s-cpu");
  }

  private static List<String> heads(TestCluster cluster) {
    return cluster.cycle().outcomes().stream()
        .map(Outcome::workload)
        .map(key -> key.name())
        .toList();
  }
}
