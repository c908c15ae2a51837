package dev.sluice.cli.installed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.kinds.KindStories;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is installed can do its work: with its rights, and with the socket between its programs. */
@FullTier
@NeedsControlPlane
@Timeout(900)
@SuppressWarnings("NullAway.Init") // set before all tests
class InstalledE2E {
  private static final Set<String> GROUPS_ELSEWHERE =
      Set.of(
          "jobset.x-k8s.io",
          "kubeflow.org",
          "ray.io",
          "trainer.kubeflow.org",
          "workload.codeflare.dev");

  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String KUEUE = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final String JOBS = "/apis/batch/v1/namespaces/team/jobs";
  private static final String JOB_SETS = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/team/jobsets";
  private static final String PODS = "/api/v1/namespaces/team/pods";
  private static final String WORKLOADS = KUEUE + "namespaces/team/workloads";
  private static final String FOREVER = "\"simulated/run-forever\":\"yes\"";

  @TempDir private static Path folder;
  private static Installed installed;
  private static ApiClient api;

  @BeforeAll
  static void start() throws IOException {
    installed =
        new Installed(
            folder,
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection:
              leaderElect: true
              leaseDuration: 15s
              renewDeadline: 10s
              retryPeriod: 500ms
            fairSharing:
              preemptionStrategies: [LessThanOrEqualToFinalShare]
            waitForPodsReady:
              timeout: 5m
            resources:
              deviceClassMappings:
              - name: example.com/card
                deviceClassNames: [card.example.com]
            objectRetentionPolicies:
              workloads:
                afterFinished: 1s
                afterDeactivatedByKueue: 1s
            featureGates:
              SparkApplicationIntegration: true
            """
                + KindStories.frameworks(KindStories.all())
                + """
                  - pod
                  - deployment
                  - statefulset
                """);
    api = installed.api();
    await("it is registered", () -> mayCreateFlavors() && isRegistered());
    await("the scheduler leads", () -> installed.scheduler().page("/readyz").contains("leading"));
  }

  /** The first review ends the trial of the registration. */
  private static boolean isRegistered() {
    ApiClient.Response found =
        api.get(
            "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/sluice-mutating");
    return found.isSuccess() && !found.json().findValuesAsText("failurePolicy").contains("Ignore");
  }

  private static boolean mayCreateFlavors() {
    return api.create(KUEUE + "resourceflavors?dryRun=All", object("ResourceFlavor", "probe", "{}"))
        .isSuccess();
  }

  private static String object(String kind, String name, String spec) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"%s","metadata":{"name":"%s"},"spec":%s}\
    """
        .formatted(kind, name, spec);
  }

  @AfterAll
  static void stop() {
    installed.close();
  }

  private static void await(String what, BooleanSupplier condition) {
    await(what, condition, () -> api.get(WORKLOADS).body());
  }

  private static void await(String what, BooleanSupplier condition, Supplier<String> more) {
    assertThat(Poll.until(SOON, PAUSE, condition))
        .as(
            () ->
                "%s\nrefused: %s\n%s\n%s\n%s"
                    .formatted(
                        what,
                        installed.audit().refused(),
                        installed.webhook().tail(),
                        installed.scheduler().tail(),
                        more.get()))
        .isTrue();
  }

  private static void create(String collection, String body) {
    api.create(collection, body).orThrow();
  }

  private static void ours(String collection, String kind, String name, String spec) {
    create(KUEUE + collection, object(kind, name, spec));
  }

  private static void queue(String name, String flavor, int cpu, String more) {
    ours(
        "clusterqueues",
        "ClusterQueue",
        name,
        """
        {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
        {"name":"%s","resources":[{"name":"cpu","nominalQuota":%d}]}]}]%s}\
        """
            .formatted(flavor, cpu, more));
    ours(
        "namespaces/team/localqueues",
        "LocalQueue",
        name,
        "{\"clusterQueue\":\"%s\"}".formatted(name));
  }

  private static void node(String name, String pool) {
    create(
        "/api/v1/nodes",
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"%1$s","labels":{"pool":"%2$s",
        "kubernetes.io/hostname":"%1$s","example.com/rack":"r"}},"status":{
        "capacity":{"cpu":"4","memory":"64Gi","pods":"110"},
        "allocatable":{"cpu":"4","memory":"64Gi","pods":"110"}}}\
        """
            .formatted(name, pool));
  }

  private static String podSpec(String cpu) {
    return """
    {"terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"i","resources":{
    "requests":{"cpu":"%s"}}}]}\
    """
        .formatted(cpu);
  }

  private static String jobSpec(int pods, String cpu, String annotations) {
    String never = podSpec(cpu).replaceFirst("\\{", "{\"restartPolicy\":\"Never\",");
    return """
    {"suspend":true,"parallelism":%1$d,"completions":%1$d,"backoffLimit":100,"template":{
    "metadata":{"annotations":{%2$s}},"spec":%3$s}}\
    """
        .formatted(pods, annotations, never);
  }

  private static String queued(String apiVersion, String kind, String name, String queue) {
    return """
    {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s","labels":{
    "kueue.x-k8s.io/queue-name":"%s"}},"spec":\
    """
        .formatted(apiVersion, kind, name, queue);
  }

  private static void job(String name, String queue, String spec) {
    create(JOBS, queued("batch/v1", "Job", name, queue) + spec + "}");
  }

  private static void jobSet(String name, String queue) {
    create(
        JOB_SETS,
        queued("jobset.x-k8s.io/v1alpha2", "JobSet", name, queue)
            + "{\"suspend\":true,\"replicatedJobs\":[{\"name\":\"a\",\"replicas\":1,\"template\":{"
            + "\"spec\":"
            + jobSpec(1, "1", "")
            + "}}]}}");
  }

  private static void served(String name, String kind, String collection, String more) {
    create(
        "/apis/apps/v1/namespaces/team/" + collection,
        queued("apps/v1", kind, name, "plain")
            + """
            {"replicas":1,%1$s"selector":{"matchLabels":{"app":"%2$s"}},"template":{"metadata":{
            "labels":{"app":"%2$s"}},"spec":%3$s}}}\
            """
                .formatted(more, name, podSpec("1")));
  }

  private static void memberOfAPair(String name) {
    create(
        PODS,
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{
        "kueue.x-k8s.io/queue-name":"plain","kueue.x-k8s.io/pod-group-name":"pair"},"annotations":{
        "kueue.x-k8s.io/pod-group-total-count":"2"}},"spec":%s}\
        """
            .formatted(name, podSpec("1")));
  }

  /** What asks an autoscaler for nodes, as far as it is watched. */
  private static void serveRequests() {
    create(
        CRDS,
        """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{
        "name":"provisioningrequests.autoscaling.x-k8s.io",
        "annotations":{"api-approved.kubernetes.io":"unapproved, only for a test"}},
        "spec":{"group":"autoscaling.x-k8s.io","scope":"Namespaced","names":{
        "kind":"ProvisioningRequest","plural":"provisioningrequests",
        "singular":"provisioningrequest"},"versions":[{"name":"v1","served":true,"storage":true,
        "schema":{"openAPIV3Schema":{"type":"object",
        "x-kubernetes-preserve-unknown-fields":true}}}]}}\
        """);
    api.awaitEstablished("provisioningrequests.autoscaling.x-k8s.io", SOON);
  }

  private static Stream<JsonNode> items(String collection) {
    return api.get(collection).orThrow().json().path("items").valueStream();
  }

  /** The Workloads of the job of that name. */
  private static List<JsonNode> workloadsOf(String owner) {
    return items(WORKLOADS)
        .filter(
            it ->
                it.at("/metadata/name").asText().equals(owner)
                    || it.at("/metadata/ownerReferences/0/name").asText().equals(owner))
        .toList();
  }

  private static boolean is(String owner, String condition) {
    return workloadsOf(owner).stream().anyMatch(it -> ApiClient.hasCondition(it, condition));
  }

  private static void patchWorkload(String owner, String subresource, String patch) {
    String name = workloadsOf(owner).getFirst().at("/metadata/name").asText();
    api.mergePatch(WORKLOADS + "/" + name + subresource, patch).orThrow();
  }

  private static void deactivate(String owner) {
    patchWorkload(owner, "", "{\"spec\":{\"active\":false}}");
  }

  private static void reject(String owner) {
    patchWorkload(
        owner,
        "/status",
        """
        {"status":{"admissionChecks":[{"name":"gate","state":"Rejected","message":"no",
        "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
        """);
  }

  private static Set<String> hostsOf(String job) {
    Set<String> hosts = new TreeSet<>();
    items(PODS)
        .filter(it -> it.at("/metadata/labels").path("job-name").asText().equals(job))
        .filter(it -> it.at("/status/phase").asText().equals("Running"))
        .filter(it -> !it.path("metadata").has("deletionTimestamp"))
        .forEach(it -> hosts.add(it.at("/spec/nodeName").asText()));
    return hosts;
  }

  private static Stream<JsonNode> requests() {
    return items("/apis/autoscaling.x-k8s.io/v1/namespaces/team/provisioningrequests");
  }

  private static boolean isAsked() {
    return requests().findAny().isPresent();
  }

  /** What an autoscaler says once the nodes are there. */
  private static void provision() {
    requests()
        .forEach(
            it ->
                api.mergePatch(
                        "/apis/autoscaling.x-k8s.io/v1/namespaces/team/provisioningrequests/"
                            + it.at("/metadata/name").asText(),
                        """
                        {"status":{"conditions":[{"type":"Provisioned","status":"True",
                        "reason":"Provisioned","message":"",
                        "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
                        """)
                    .orThrow());
  }

  /** The node dies with all that runs there. */
  private static void fail(String node) {
    api.delete("/api/v1/nodes/" + node).orThrow();
    items(PODS)
        .filter(it -> it.at("/spec/nodeName").asText().equals(node))
        .forEach(
            it ->
                api.mergePatch(
                    PODS + "/" + it.at("/metadata/name").asText() + "/status",
                    "{\"status\":{\"phase\":\"Failed\"}}"));
  }

  private static void surplusPodOf(String job) {
    String uid = api.get(JOBS + "/" + job).orThrow().json().at("/metadata/uid").asText();
    String pod =
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"rogue-","labels":{
        "batch.kubernetes.io/controller-uid":"%1$s","controller-uid":"%1$s",
        "batch.kubernetes.io/job-name":"%2$s","job-name":"%2$s"},"finalizers":[
        "batch.kubernetes.io/job-tracking"],"ownerReferences":[{"apiVersion":"batch/v1",
        "kind":"Job","name":"%2$s","uid":"%1$s","controller":true,
        "blockOwnerDeletion":true}]},"spec":%3$s}\
        """
            .formatted(uid, job, podSpec("1"));
    ApiClient.Response answer = api.create(PODS, pod);
    assertThat(answer.status()).as(answer.body()).isEqualTo(403);
  }

  private static boolean isGone(String path) {
    return api.get(path).status() == 404;
  }

  @Test
  void eachAccountMayDoAllThatItsProgramDoesAndNothingElse() {
    var others = new JobsOfOthers(api, InstalledE2E::await);
    others.serve();
    serveRequests();
    node("plain-1", "plain");
    node("plain-2", "plain");
    List.of("placed-1", "placed-2", "placed-3").forEach(it -> node(it, "placed"));
    create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"team\"}}");
    ours(
        "topologies",
        "Topology",
        "racks",
        """
        {"levels":[{"nodeLabel":"example.com/rack"},{"nodeLabel":"kubernetes.io/hostname"}]}\
        """);
    ours("resourceflavors", "ResourceFlavor", "plain", "{\"nodeLabels\":{\"pool\":\"plain\"}}");
    ours(
        "resourceflavors",
        "ResourceFlavor",
        "placed",
        "{\"nodeLabels\":{\"pool\":\"placed\"},\"topologyName\":\"racks\"}");
    ours("admissionchecks", "AdmissionCheck", "gate", "{\"controllerName\":\"example.com/gate\"}");
    api.mergePatch(
            KUEUE + "admissionchecks/gate/status",
            """
            {"status":{"conditions":[{"type":"Active","status":"True","reason":"Active",
            "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
            """)
        .orThrow();
    ours("cohorts", "Cohort", "all", "{}");
    queue("plain", "plain", 8, ",\"cohortName\":\"all\"");
    queue("placed", "placed", 12, ",\"cohortName\":\"all\"");
    queue(
        "checked",
        "plain",
        2,
        ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"gate\"}]}");

    ours(
        "provisioningrequestconfigs",
        "ProvisioningRequestConfig",
        "grow",
        "{\"provisioningClassName\":\"example.com\"}");
    ours(
        "admissionchecks",
        "AdmissionCheck",
        "grow",
        """
        {"controllerName":"kueue.x-k8s.io/provisioning-request","parameters":{
        "apiGroup":"kueue.x-k8s.io","kind":"ProvisioningRequestConfig","name":"grow"}}\
        """);
    queue(
        "growing",
        "plain",
        1,
        ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"grow\"}]}");

    job("asking", "growing", jobSpec(1, "500m", ""));
    job("quick", "plain", jobSpec(1, "500m", ""));
    job("lasting", "plain", jobSpec(1, "1", FOREVER));
    job("gated", "checked", jobSpec(1, "1", ""));
    String inOneRack = "\"kueue.x-k8s.io/podset-required-topology\":\"example.com/rack\",";
    job("spread", "placed", jobSpec(2, "3", inOneRack + FOREVER));
    jobSet("set", "plain");
    jobSet("gated-set", "checked");
    served("web", "Deployment", "deployments", "");
    served("db", "StatefulSet", "statefulsets", "\"serviceName\":\"db\",");
    memberOfAPair("left");
    memberOfAPair("right");

    ours("resourceflavors", "ResourceFlavor", "leaving", "{}");
    queue("leaving", "leaving", 1, "");
    api.delete(KUEUE + "clusterqueues/leaving").orThrow();
    await("a queue that nobody uses goes", () -> isGone(KUEUE + "clusterqueues/leaving"));
    api.delete(KUEUE + "resourceflavors/leaving").orThrow();
    await("so does its flavor", () -> isGone(KUEUE + "resourceflavors/leaving"));
    await("a Job is complete", () -> ApiClient.hasCondition(job("quick"), "Complete"));
    await("its Workload is deleted when its time is over", () -> workloadsOf("quick").isEmpty());
    await("nodes are asked for", InstalledE2E::isAsked);
    provision();
    await("a Job that waited for nodes is complete", () -> workloadsOf("asking").isEmpty());
    await("nodes are asked for no more", () -> !isAsked());
    await("a JobSet runs", () -> runs(JOB_SETS + "/set"));
    await("a Deployment runs", () -> ready("deployments/web"));
    await("a StatefulSet runs", () -> ready("statefulsets/db"));
    await("a Job runs", () -> hostsOf("lasting").size() == 1);
    surplusPodOf("lasting");
    deactivate("lasting");
    await("it is stopped", () -> !runs(JOBS + "/lasting") && hostsOf("lasting").isEmpty());
    await("a group of Pods is admitted", () -> is("pair", "Admitted"));
    deactivate("pair");
    await("they are stopped", () -> isOver("left") && isOver("right"));
    await(
        "checks are asked for",
        () -> is("gated", "QuotaReserved") && is("gated-set", "QuotaReserved"));
    reject("gated");
    reject("gated-set");
    await(
        "who is given up is deleted",
        () -> isGone(JOBS + "/gated") && isGone(JOB_SETS + "/gated-set"));
    others.play("plain", "gate");
    await("our own Pod is let in", InstalledE2E::isDeployed);
    await("a Job runs where it was placed", () -> hostsOf("spread").size() == 2);
    String failed = hostsOf("spread").iterator().next();
    fail(failed);
    await(
        "it has another place",
        () -> hostsOf("spread").size() == 2 && !hostsOf("spread").contains(failed));

    ours(
        "multikueueclusters",
        "MultiKueueCluster",
        "worker",
        """
        {"clusterSource":{"kubeConfig":{"locationType":"Secret","location":"worker"}}}\
        """);
    for (String account : Installed.ACCOUNTS) {
      Poll.until(SOON, PAUSE, () -> idle(account).isEmpty()); // with the next round of a clock
      assertThat(idle(account)).as(account).isEmpty();
    }
    assertThat(installed.audit().refused()).isEmpty();
  }

  private static boolean isDeployed() {
    JsonNode deployment =
        api.get("/apis/apps/v1/namespaces/sluice-system/deployments/sluice-webhook")
            .orThrow()
            .json();
    return deployment.at("/status/readyReplicas").asInt()
        == deployment.at("/spec/replicas").asInt();
  }

  private static JsonNode job(String name) {
    return api.get(JOBS + "/" + name).orThrow().json();
  }

  private static boolean runs(String path) {
    return !api.get(path).orThrow().json().at("/spec/suspend").asBoolean();
  }

  private static boolean ready(String path) {
    JsonNode found = api.get("/apis/apps/v1/namespaces/team/" + path).orThrow().json();
    return found.at("/status/readyReplicas").asInt() == 1;
  }

  private static boolean isOver(String pod) {
    ApiClient.Response answer = api.get(PODS + "/" + pod);
    return answer.status() == 404 || answer.json().at("/status/phase").asText().equals("Failed");
  }

  /** What an account may do and never did. */
  private static Set<Right> idle(String account) {
    Set<Right> idle = installed.idle(account);
    // only for a Job that its controller leaves with a start time when it is stopped
    idle.remove(new Right("patch", "batch", "jobs/status"));
    // only a MultiKueueCluster that is connected gets our finalizer
    idle.remove(new Right("patch", "kueue.x-k8s.io", "multikueueclusters"));
    idle.removeIf(InstalledE2E::isOfJobsElsewhere);
    return idle;
  }

  /** Only where a job runs on another cluster its status is written here. */
  private static boolean isOfJobsElsewhere(Right right) {
    return right.verb().equals("patch")
        && right.resource().endsWith("/status")
        && GROUPS_ELSEWHERE.contains(right.group());
  }

  @Test
  void theServerKnowsWhatTheSchedulerHasDecidedAndGoesOnWithWhatIsStoredWithoutIt() {
    LedgerScene ledger = new LedgerScene(installed);
    await("the ledger is followed", () -> ledger.follows("ledger") && !ledger.follows("watches"));
    ours("resourceflavors", "ResourceFlavor", "told", "{}");
    ours(
        "clusterqueues",
        "ClusterQueue",
        "told",
        """
        {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
        {"name":"told","resources":[{"name":"cpu","nominalQuota":3}]}]}]}\
        """);
    ledger.workload("decided", "told");
    ours( // its Workloads are for that ClusterQueue, and the scheduler leaves them alone
        "namespaces/default/localqueues",
        "LocalQueue",
        "aside",
        "{\"clusterQueue\":\"told\",\"stopPolicy\":\"Hold\"}");
    ledger.workload("other", "aside");
    ledger.hold("decided");
    await("nothing is stored of it", () -> ledger.wouldReserve("decided").status() == 500);
    await("what fits passes", () -> ledger.wouldReserve("other").status() == 200);

    ours("namespaces/default/localqueues", "LocalQueue", "told", "{\"clusterQueue\":\"told\"}");
    await("what is decided counts", () -> ledger.wouldReserve("other").status() == 409);
    assertThat(ledger.holdsQuota("decided")).isFalse();

    installed.scheduler().kill();
    await("the ledger is lost", () -> ledger.follows("watches") && !ledger.follows("ledger"));
    assertThat(installed.webhook().meter("sluice_ledger_breaks_total").orElse(0)).isPositive();
    await("only what is stored counts", () -> ledger.wouldReserve("other").status() == 200);

    ledger.letGo();
    installed.scheduler().restart();
    await(
        "the ledger is followed again",
        () -> ledger.follows("ledger") && !ledger.follows("watches"));
    await("it is stored", () -> ledger.holdsQuota("decided"));
    ApiClient.Response refused = ledger.wouldReserve("other");
    assertThat(refused.status()).as(refused.body()).isEqualTo(409);
    assertThat(refused.body())
        .contains("2 of cpu in flavor told is not to be had in ClusterQueue told")
        .contains("where 1 is left");
  }
}
