package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.cli.kinds.Resources;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Other kinds than Jobs that run on another cluster, on real API servers with controllers. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(900)
class MultiKueueKindsE2E {
  private static final String QUEUE = "shared";
  private static final String SETS =
      "/apis/apps/v1/namespaces/" + Fleet.NAMESPACE + "/statefulsets";
  private static final String DEPLOYMENTS =
      "/apis/apps/v1/namespaces/" + Fleet.NAMESPACE + "/deployments";
  private static final String LEADER_SETS =
      "/apis/leaderworkerset.x-k8s.io/v1/namespaces/" + Fleet.NAMESPACE + "/leaderworkersets";
  private static final String TEMPLATE_SPEC =
      """
      {"schedulingGates":[{"name":"kueue.x-k8s.io/admission"}],"restartPolicy":"%s",
      "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}\
      """;

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  @BeforeAll
  static void schedulers() {
    FLEET.serve(
        Resources.text("kinds/leaderworkerset.yaml"), "leaderworkersets.leaderworkerset.x-k8s.io");
    FLEET.start(configuration());
    FLEET.openQueue(QUEUE);
  }

  private static Configuration configuration() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("namespace", Fleet.HOME);
    ArrayNode frameworks = document.putObject("integrations").putArray("frameworks");
    List.of(
            "batch/job",
            "pod",
            "deployment",
            "statefulset",
            "leaderworkerset.x-k8s.io/leaderworkerset")
        .forEach(frameworks::add);
    document.putObject("waitForPodsReady").put("timeout", "10m");
    document.putObject("featureGates").put("ElasticJobsViaWorkloadSlices", true);
    return ConfigurationReader.excerpt(document);
  }

  /** Creates a member of a group of two, as users and webhooks make it. */
  private static void createMember(String name, String group) {
    FLEET
        .api()
        .create(
            Fleet.pods(),
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{
            "kueue.x-k8s.io/queue-name":"%s","kueue.x-k8s.io/managed":"true"},"annotations":{
            "kueue.x-k8s.io/pod-group-name":"%s","kueue.x-k8s.io/pod-group-total-count":"2",
            "kueue.x-k8s.io/role-hash":"main"},"finalizers":["kueue.x-k8s.io/managed"]},
            "spec":%s}\
            """
                .formatted(name, QUEUE, group, TEMPLATE_SPEC.formatted("Never")))
        .orThrow();
  }

  private static boolean isGated(ApiClient api, String pod) {
    return api.get(Fleet.pods() + "/" + pod).orThrow().json().path("spec").has("schedulingGates");
  }

  private static String phase(ApiClient api, String pod) {
    return api.get(Fleet.pods() + "/" + pod).orThrow().json().at("/status/phase").asText();
  }

  private static void end(String worker, String pod, String phase) {
    FLEET
        .api(worker)
        .mergePatch(
            Fleet.pods() + "/" + pod + "/status",
            "{\"status\":{\"phase\":\"%s\"}}".formatted(phase))
        .orThrow();
  }

  /** Waits until these Pods are let go on the worker that was chosen. */
  private static String run(String owner, String... pods) {
    FLEET.await(
        owner + " runs",
        () ->
            !FLEET.chosen(owner).isEmpty()
                && List.of(pods).stream()
                    .noneMatch(it -> isGated(FLEET.api(FLEET.chosen(owner)), it)));
    return FLEET.chosen(owner);
  }

  @Test
  void aGroupRunsOnOneWorkerWithAReplacementAndEndsHereAsThere() {
    createMember("g-0", "g");
    createMember("g-1", "g");

    String worker = run("g-0", "g-0", "g-1");

    assertThat(isGated(FLEET.api(), "g-0") && isGated(FLEET.api(), "g-1")).isTrue();
    JsonNode there = FLEET.api(worker).get(Fleet.pods() + "/g-0").orThrow().json();
    assertThat(there.at("/metadata/labels/kueue.x-k8s.io~1multikueue-worker-workload-pod").asText())
        .isEqualTo("true");
    FLEET.hasNothing(Fleet.other(worker), "g");

    end(worker, "g-0", "Failed");
    FLEET.await("the failure is known here", () -> phase(FLEET.api(), "g-0").equals("Failed"));
    createMember("g-2", "g");
    FLEET.await(
        "the replacement runs",
        () ->
            FLEET.left(worker, "g").contains(Fleet.pods() + " g-2")
                && !isGated(FLEET.api(worker), "g-2"));

    end(worker, "g-1", "Succeeded");
    end(worker, "g-2", "Succeeded");
    FLEET.finishes("g-0");
    assertThat(phase(FLEET.api(), "g-2")).isEqualTo("Succeeded");
    FLEET.leavesNothingElsewhere("g", Fleet.pods());
  }

  @Test
  void aGroupThatIsDeletedHereLeavesNothing() {
    createMember("gone-0", "gone");
    createMember("gone-1", "gone");
    run("gone-0", "gone-0", "gone-1");

    FLEET.api().delete(Fleet.pods() + "/gone-0").orThrow();
    FLEET.api().delete(Fleet.pods() + "/gone-1").orThrow();

    FLEET.leavesNothingElsewhere("gone", Fleet.pods());
    FLEET.await("the workload is gone", () -> FLEET.workload("gone-0").isEmpty());
  }

  @Test
  void aStatefulSetRunsOnAWorkerUnderTheWorkloadOfTheSameName() {
    FLEET
        .api()
        .create(
            SETS,
            """
            {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db","labels":{
            "kueue.x-k8s.io/queue-name":"%s"}},"spec":{"replicas":2,"serviceName":"db",
            "podManagementPolicy":"Parallel","selector":{"matchLabels":{"app":"db"}},"template":{
            "metadata":{"labels":{"app":"db","kueue.x-k8s.io/managed":"true"},"annotations":{
            "kueue.x-k8s.io/pod-suspending-parent":"statefulset",
            "kueue.x-k8s.io/pod-group-serving":"true"}},"spec":%s}}}\
            """
                .formatted(QUEUE, TEMPLATE_SPEC.formatted("Always")))
        .orThrow();

    String worker = run("db", "db-0", "db-1");

    assertThat(isGated(FLEET.api(), "db-0") && isGated(FLEET.api(), "db-1")).isTrue();
    String name = FLEET.workload("db").orElseThrow().at("/metadata/name").asText();
    assertThat(FLEET.left(worker, "db")).contains("Workload " + name);
    FLEET.hasNothing(Fleet.other(worker), "db", SETS);
    ready(worker, "db-0", "db-1");
    FLEET.await(
        "it is ready here",
        () -> ApiClient.hasCondition(FLEET.workload("db").orElseThrow(), "PodsReady"));

    FLEET.api().delete(SETS + "/db").orThrow();
    FLEET.leavesNothingElsewhere("db", SETS);
    FLEET.await("the workload is gone", () -> FLEET.workload("db").isEmpty());
  }

  /** How many Pods of a Job on a worker may start, and how many wait. */
  private static List<Long> startedAndHeld(String worker, String job) {
    List<JsonNode> pods =
        FLEET
            .items(worker, Fleet.pods())
            .valueStream()
            .filter(it -> it.at("/metadata/labels/job-name").asText().equals(job))
            .filter(it -> !it.path("metadata").has("deletionTimestamp"))
            .toList();
    long held = pods.stream().filter(it -> !it.at("/spec/schedulingGates").isEmpty()).count();
    return List.of(pods.size() - held, held);
  }

  private static void scale(String worker, String job, int pods) {
    FLEET
        .api()
        .mergePatch(Fleet.job(job), "{\"spec\":{\"parallelism\":%d}}".formatted(pods))
        .orThrow();
    FLEET.await(
        job + " has " + pods + " pods",
        () -> startedAndHeld(worker, job).equals(List.of((long) pods, 0L)));
  }

  @Test
  void anElasticJobGrowsAndShrinksWhereItRunsAndIsNotStopped() {
    FLEET
        .api()
        .create(
            Fleet.jobs(),
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"grows","labels":{
            "kueue.x-k8s.io/queue-name":"%s"},"annotations":{"kueue.x-k8s.io/elastic-job":"true"}},
            "spec":{"suspend":true,"parallelism":1,"completions":20,
            "managedBy":"kueue.x-k8s.io/multikueue","template":{"spec":{"restartPolicy":"Never",
            "schedulingGates":[{"name":"kueue.x-k8s.io/elastic-job"}],
            "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}}\
            """
                .formatted(QUEUE))
        .orThrow();
    FLEET.await("a worker is chosen", () -> !FLEET.chosen("grows").isEmpty());
    String worker = FLEET.chosen("grows");
    scale(worker, "grows", 1);
    String started = started(worker);

    scale(worker, "grows", 3);
    FLEET.await(
        "the first workload is gone there",
        () ->
            FLEET.left(worker, "grows").stream().filter(it -> it.startsWith("Work")).count() == 1);
    scale(worker, "grows", 2);
    FLEET.await(
        "the status is known here",
        () -> FLEET.api().get(Fleet.job("grows")).json().at("/status/active").asInt() == 2);

    assertThat(started(worker)).isEqualTo(started).isNotEmpty();
    FLEET.hasNothing(Fleet.other(worker), "grows");
    FLEET.api().delete(Fleet.job("grows")).orThrow();
    FLEET.leavesNothingElsewhere("grows");
  }

  private static String started(String worker) {
    return FLEET.api(worker).get(Fleet.job("grows")).json().at("/status/startTime").asText();
  }

  /** Lets Pods on a worker run, as a kubelet would tell. */
  private static void ready(String worker, String... pods) {
    for (String pod : pods) {
      FLEET
          .api(worker)
          .mergePatch(
              Fleet.pods() + "/" + pod + "/status",
              "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":"
                  + "\"True\"}]}}")
          .orThrow();
    }
  }

  private static Set<String> clusters(String owner) {
    return FLEET.workloads(owner).stream()
        .map(it -> it.path("status").path("clusterName").asText())
        .collect(Collectors.toSet());
  }

  @Test
  void theReplicasOfALeaderWorkerSetAreOnOneWorkerAndFollowItsNumberHere() {
    ObjectNode set = SampleJobs.of("leaderworkerset", QUEUE);
    String name = SampleJobs.name(set);
    FLEET.api().create(LEADER_SETS, set.toString()).orThrow();
    FLEET.await("a worker is chosen for both", () -> isOnOne(name, 2));
    String worker = FLEET.chosen(name);
    FLEET.hasNothing(Fleet.other(worker), name, LEADER_SETS);

    FLEET.api().mergePatch(LEADER_SETS + "/" + name, "{\"spec\":{\"replicas\":3}}").orThrow();
    FLEET.await("the third one follows", () -> isOnOne(name, 3));
    assertThat(clusters(name)).containsExactly(worker);
    FLEET.await(
        "its number is known there",
        () ->
            FLEET.api(worker).get(LEADER_SETS + "/" + name).json().at("/spec/replicas").asInt()
                == 3);

    FLEET.api().delete(LEADER_SETS + "/" + name).orThrow();
    FLEET.leavesNothingElsewhere(name, LEADER_SETS);
  }

  private static boolean isOnOne(String owner, int workloads) {
    return FLEET.workloads(owner).size() == workloads
        && clusters(owner).size() == 1
        && !clusters(owner).contains("");
  }

  /** The names of the Pods of a Deployment on a worker, as of that moment. */
  private static List<String> podsOf(String worker, String app) {
    return FLEET
        .items(worker, Fleet.pods())
        .valueStream()
        .filter(it -> it.at("/metadata/labels/app").asText().equals(app))
        .filter(it -> it.at("/spec/schedulingGates").isEmpty())
        .map(SampleJobs::name)
        .toList();
  }

  private static int running(String app) {
    return FLEET.workers.keySet().stream().mapToInt(it -> podsOf(it, app).size()).sum();
  }

  @Test
  void eachPodOfADeploymentGoesByItself() {
    ObjectNode web = SampleJobs.of("deployment", QUEUE);
    ObjectNode template = web.withObject("/spec/template");
    template
        .withObject("/metadata/labels")
        .put("kueue.x-k8s.io/queue-name", QUEUE)
        .put("kueue.x-k8s.io/managed", "true");
    template
        .withObject("/metadata/annotations")
        .put("kueue.x-k8s.io/pod-suspending-parent", "deployment");
    template
        .withObject("/spec")
        .putArray("schedulingGates")
        .addObject()
        .put("name", "kueue.x-k8s.io/admission");
    FLEET.api().create(DEPLOYMENTS, web.toString()).orThrow();
    FLEET.await("both run", () -> running("web") == 2);

    FLEET.workers.keySet().forEach(it -> ready(it, podsOf(it, "web").toArray(String[]::new)));
    FLEET.await(
        "it is ready here",
        () ->
            FLEET.api().get(DEPLOYMENTS + "/web").json().at("/status/readyReplicas").asInt() == 2);
    FLEET.api().mergePatch(DEPLOYMENTS + "/web", "{\"spec\":{\"replicas\":1}}").orThrow();
    FLEET.await("one runs", () -> running("web") == 1);

    FLEET.api().delete(DEPLOYMENTS + "/web").orThrow();
    FLEET.leavesNothingElsewhere("web", DEPLOYMENTS);
  }
}
