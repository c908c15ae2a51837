package dev.sluice.server.see;

import static dev.sluice.server.see.Aggregated.BOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On a live cluster, remedies that are carried out admit, and edits evict those who were named. */
@FullTier
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class CarriedOutE2E {
  private static final String API = "/apis/view.sluice.dev/v1alpha1";
  private static final String OURS = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final String JOBS = "/apis/batch/v1/namespaces/a/jobs";
  private static final String WORKLOADS = OURS + "namespaces/a/workloads";

  @TempDir private static Path folder;

  private Aggregated setting;
  private Scheduling scheduling;
  private ApiClient admin;

  @BeforeAll
  void aSchedulerBesideTheServer() throws IOException {
    setting = new Aggregated(folder, null);
    admin = setting.cluster.client();
    setting.create("/api/v1/namespaces", "{'metadata':{'name':'a'}}");
    create("ResourceFlavor", "resourceflavors", "f", "'spec':{}");
    for (int priority : new int[] {1, 2, 100}) {
      create(
          "WorkloadPriorityClass",
          "workloadpriorityclasses",
          "p" + priority,
          "'value':" + priority);
    }
    admin.await(API + "/standing", BOUND, it -> it.has("items")); // the first lists are in
    scheduling =
        Scheduling.alone(
            setting.cluster.kubeconfig(), Chosen.defaults("sluice-system"), new Supervisor());
  }

  @AfterAll
  void end() {
    if (scheduling != null) {
      scheduling.close();
    }
    if (setting != null) {
      setting.close();
    }
  }

  private void create(String kind, String collection, String name, String members) {
    setting.create(
        OURS + collection,
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s','metadata':{'name':'%s'},%s}"
            .formatted(kind, name, members));
  }

  private static String quota(String queue, String cohort, int cpu) {
    return """
    {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue','metadata':{'name':'%s'},'spec':{
    'namespaceSelector':{},'cohortName':'%s','preemption':{'withinClusterQueue':'LowerPriority',
    'reclaimWithinCohort':'LowerPriority'},'resourceGroups':[{'coveredResources':['cpu'],'flavors':[
    {'name':'f','resources':[{'name':'cpu','nominalQuota':'%d'}]}]}]}}\
    """
        .formatted(queue, cohort, cpu);
  }

  /** A ClusterQueue of that cohort, and a LocalQueue of the same name. */
  private void open(String queue, String cohort, int cpu) {
    setting.create(OURS + "clusterqueues", quota(queue, cohort, cpu));
    create(
        "LocalQueue",
        "namespaces/a/localqueues",
        queue,
        "'spec':{'clusterQueue':'%s'}".formatted(queue));
  }

  private void job(String queue, String name, int pods, int priority) {
    setting.create(JOBS, jobOf(queue, name, pods, priority));
  }

  /** A Job of so many pods with one cpu each. */
  private static String jobOf(String queue, String name, int pods, int priority) {
    return """
    {'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'%s','labels':{
    'kueue.x-k8s.io/queue-name':'%s','kueue.x-k8s.io/priority-class':'p%d'}},'spec':{
    'suspend':true,'parallelism':%d,'completions':%4$d,'template':{'spec':{
    'restartPolicy':'Never','containers':[{'name':'c','image':'i','resources':{'requests':{
    'cpu':'1'}}}]}}}}\
    """
        .formatted(name, queue, priority, pods);
  }

  private JsonNode workloads() {
    return admin.get(WORKLOADS).orThrow().json().path("items");
  }

  /** Whether the Workload of that job has quota, and is not told to give it back. */
  private boolean isAdmitted(String job) {
    return workloads()
        .valueStream()
        .anyMatch(it -> jobOf(it).equals(job) && isTrue(it, "Admitted") && !isTrue(it, "Evicted"));
  }

  private static String jobOf(JsonNode workload) {
    return workload.at("/metadata/ownerReferences/0/name").asText();
  }

  private static boolean isTrue(JsonNode workload, String type) {
    return workload
        .at("/status/conditions")
        .valueStream()
        .anyMatch(
            it ->
                it.path("type").asText().equals(type) && it.path("status").asText().equals("True"));
  }

  private void awaitAdmitted(String job) {
    await().atMost(BOUND).until(() -> isAdmitted(job));
  }

  /** Waits until the server knows how many hold quota of the queue, and how many wait. */
  private void awaitKnown(String queue, int holders, int waiting) {
    String path = API + "/clusterqueues/" + queue;
    admin.await(path + "/holders", BOUND, it -> it.path("total").asInt() == holders);
    admin.await(path + "/line", BOUND, it -> it.path("total").asInt() == waiting);
  }

  private void patch(String path, String json) {
    admin.mergePatch(path, json.replace('\'', '"')).orThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run with (\\d+) pods in place of 2",
        "Workload a/(\\S+) ends",
        "in ClusterQueue \\S+ raise the nominalQuota of flavor f: cpu from 4 to (\\d+)",
        "give it the priority (\\d+) \\(it has 1\\)"
      })
  void aRemedyThatIsCarriedOutAdmits(String remedy) {
    String queue = "remedy-" + Math.floorMod(remedy.hashCode(), 10_000);
    open(queue, queue, 4);
    job(queue, queue + "-holder", 3, 1);
    awaitAdmitted(queue + "-holder");
    job(queue, queue, 2, 1);
    awaitKnown(queue, 1, 1);
    JsonNode why =
        admin.get(API + "/namespaces/a/workloads/" + queue + "/explanation").orThrow().json();
    Matcher found =
        why.path("remedies").findValuesAsText("change").stream()
            .map(Pattern.compile(remedy)::matcher)
            .filter(Matcher::matches)
            .findFirst()
            .orElseThrow(() -> new AssertionError(why.toString()));
    String value = found.group(1);

    switch (remedy.substring(0, 4)) {
      case "run " -> patch(JOBS + "/" + queue, "{'spec':{'parallelism':%s}}".formatted(value));
      case "Work" -> {
        var _ = admin.delete(JOBS + "/" + queue + "-holder").orThrow();
        var _ = admin.delete(WORKLOADS + "/" + value); // here no garbage is collected
      }
      case "in C" ->
          patch(OURS + "clusterqueues/" + queue, quota(queue, queue, Integer.parseInt(value)));
      default ->
          patch(
              JOBS + "/" + queue,
              "{'metadata':{'labels':{'kueue.x-k8s.io/priority-class':'p%s'}}}".formatted(value));
    }

    awaitAdmitted(queue);
  }

  /** How often the Workloads of each job were evicted. */
  private Map<String, Integer> evictions() {
    Map<String, Integer> counts = new TreeMap<>();
    for (JsonNode item : workloads()) {
      item.at("/status/schedulingStats/evictions")
          .forEach(it -> counts.merge(jobOf(item), it.path("count").asInt(), Integer::sum));
    }
    return counts;
  }

  /**
   * Queue b is within its quota when its high job has it: then it takes back what queue a borrows.
   */
  @ParameterizedTest
  @CsvSource({"one, 4, 6, 1", "all, 1, 5, 3"})
  void anEditEvictsThoseWhoWereNamed(String name, int ofA, int ofB, int expected) {
    String a = "a-" + name;
    String b = "b-" + name;
    borrowing(name);
    String edits = quota(a, name, ofA) + "," + quota(b, name, ofB);

    Set<String> named = simulated(edits);

    assertThat(named).hasSize(expected);
    patch(OURS + "clusterqueues/" + a, quota(a, name, ofA));
    patch(OURS + "clusterqueues/" + b, quota(b, name, ofB));
    awaitAdmitted(b + "-high");
    assertThat(evicted(a)).isEqualTo(named);
  }

  @Test
  void aDrainedQueueEvictsThoseWhoWereNamed() {
    borrowing("drain");
    String edit =
        quota("a-drain", "drain", 4).replace("'spec':{", "'spec':{'stopPolicy':'HoldAndDrain',");

    Set<String> named = simulated(edit);

    assertThat(named).hasSize(3);
    patch(OURS + "clusterqueues/a-drain", edit);
    await().atMost(BOUND).until(() -> evicted("a-drain").equals(named));
  }

  @Test
  void playedForwardAJobStartsWhenTheOneThatRunsEnds() {
    open("forward", "forward", 4);
    String timed = jobOf("forward", "forward-timed", 4, 1);
    setting.create(
        JOBS,
        timed.replace("'metadata':{", "'metadata':{'annotations':{'sluice.dev/runs-for':'20m'},"));
    awaitAdmitted("forward-timed");
    awaitKnown("forward", 1, 0);
    Instant before = Instant.now();

    JsonNode status =
        admin
            .create(
                API + "/namespaces/a/simulations",
                "{\"spec\":{\"forward\":\"1h\",\"objects\":["
                    + jobOf("forward", "forward-next", 2, 1).replace('\'', '"')
                    + "]}}")
            .orThrow()
            .json()
            .path("status");

    assertThat(status.at("/outcomes/0/answer").asText()).as(status.toString()).isEqualTo("Waits");
    assertThat(Instant.parse(status.at("/outcomes/0/starts").asText()))
        .isBetween(before.plus(Duration.ofMinutes(15)), before.plus(Duration.ofMinutes(21)));
    assertThat(status.path("truncated").asBoolean(true)).isFalse();
  }

  /** Queue a uses 6 of 8, of which it borrows 2; queue b uses 2, and a job of 3 waits in it. */
  private void borrowing(String name) {
    open("a-" + name, name, 4);
    open("b-" + name, name, 4);
    for (int i = 0; i < 3; i++) {
      job("a-" + name, "a-" + name + "-" + i, 2, 1);
      awaitAdmitted("a-" + name + "-" + i);
    }
    job("b-" + name, "b-" + name + "-low", 2, 2);
    awaitAdmitted("b-" + name + "-low");
    job("b-" + name, "b-" + name + "-high", 3, 2);
    awaitKnown("a-" + name, 3, 0);
    awaitKnown("b-" + name, 1, 1);
  }

  /** The jobs of those who would lose their quota. */
  private Set<String> simulated(String edits) {
    JsonNode status =
        admin
            .create(
                API + "/clustersimulations",
                "{\"spec\":{\"edits\":[" + edits.replace('\'', '"') + "]}}")
            .orThrow()
            .json()
            .path("status");
    Set<String> lost = new TreeSet<>();
    List<String> names = status.path("delayed").findValuesAsText("name");
    for (JsonNode item : workloads()) {
      if (names.contains(item.at("/metadata/name").asText())) {
        lost.add(jobOf(item));
      }
    }
    assertThat(lost).as(status.toString()).hasSameSizeAs(names);
    return lost;
  }

  private Set<String> evicted(String queue) {
    Set<String> jobs = new TreeSet<>();
    evictions()
        .forEach(
            (job, count) -> {
              if (job.startsWith(queue + "-") && count > 0) {
                jobs.add(job);
              }
            });
    return jobs;
  }
}
