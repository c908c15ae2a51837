package dev.sluice.cli.installed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** The namespace {@code team}: what is created there, and how far it has come. */
final class TeamNamespace {
  static final String KUEUE = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  static final String JOBS = "/apis/batch/v1/namespaces/team/jobs";
  static final String JOB_SETS = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/team/jobsets";
  private static final String PODS = "/api/v1/namespaces/team/pods";
  static final String WORKLOADS = KUEUE + "namespaces/team/workloads";

  /** An annotation of Pods that keeps them running. */
  static final String FOREVER = "\"simulated/run-forever\":\"yes\"";

  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int TOO_MANY_REQUESTS = 429;

  private final ApiClient api;

  TeamNamespace(ApiClient api) {
    this.api = api;
  }

  static String object(String kind, String name, String spec) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"%s","metadata":{"name":"%s"},"spec":%s}\
    """
        .formatted(kind, name, spec);
  }

  void create(String collection, String body) {
    api.create(collection, body).orThrow();
  }

  void ours(String collection, String kind, String name, String spec) {
    create(KUEUE + collection, object(kind, name, spec));
  }

  void queue(String name, String flavor, int cpu, String more) {
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

  void node(String name, String pool) {
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

  static String podSpec(String cpu) {
    return """
    {"terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"i","resources":{
    "requests":{"cpu":"%s"}}}]}\
    """
        .formatted(cpu);
  }

  static String jobSpec(int pods, String cpu, String annotations) {
    String never = podSpec(cpu).replaceFirst("\\{", "{\"restartPolicy\":\"Never\",");
    return """
    {"suspend":true,"parallelism":%1$d,"completions":%1$d,"backoffLimit":100,"template":{
    "metadata":{"annotations":{%2$s}},"spec":%3$s}}\
    """
        .formatted(pods, annotations, never);
  }

  static String queued(String apiVersion, String kind, String name, String queue) {
    return """
    {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s","labels":{
    "kueue.x-k8s.io/queue-name":"%s"}},"spec":\
    """
        .formatted(apiVersion, kind, name, queue);
  }

  void job(String name, String queue, String spec) {
    create(JOBS, queued("batch/v1", "Job", name, queue) + spec + "}");
  }

  void jobSet(String name, String queue) {
    create(
        JOB_SETS,
        queued("jobset.x-k8s.io/v1alpha2", "JobSet", name, queue)
            + "{\"suspend\":true,\"replicatedJobs\":[{\"name\":\"a\",\"replicas\":1,\"template\":{"
            + "\"spec\":"
            + jobSpec(1, "1", "")
            + "}}]}}");
  }

  void served(String name, String kind, String collection, String more) {
    create(
        "/apis/apps/v1/namespaces/team/" + collection,
        queued("apps/v1", kind, name, "plain")
            + """
            {"replicas":1,%1$s"selector":{"matchLabels":{"app":"%2$s"}},"template":{"metadata":{
            "labels":{"app":"%2$s"}},"spec":%3$s}}}\
            """
                .formatted(more, name, podSpec("1")));
  }

  void memberOfAPair(String name) {
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
  void serveRequests() {
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

  /** While the API server prepares a kind whose CRD has changed, clients are asked to wait. */
  Stream<JsonNode> items(String collection) {
    AtomicReference<ApiClient.Response> answer = new AtomicReference<>(api.get(collection));
    Poll.until(
        SOON,
        PAUSE,
        () ->
            answer.get().status() != TOO_MANY_REQUESTS
                || answer.updateAndGet(_ -> api.get(collection)).status() != TOO_MANY_REQUESTS);
    return answer.get().orThrow().json().path("items").valueStream();
  }

  /** The Workloads of the job of that name. */
  List<JsonNode> workloadsOf(String owner) {
    return items(WORKLOADS)
        .filter(
            it ->
                it.at("/metadata/name").asText().equals(owner)
                    || it.at("/metadata/ownerReferences/0/name").asText().equals(owner))
        .toList();
  }

  boolean is(String owner, String condition) {
    return workloadsOf(owner).stream().anyMatch(it -> ApiClient.hasCondition(it, condition));
  }

  void patchWorkload(String owner, String subresource, String patch) {
    String name = workloadsOf(owner).getFirst().at("/metadata/name").asText();
    api.mergePatch(WORKLOADS + "/" + name + subresource, patch).orThrow();
  }

  void deactivate(String owner) {
    patchWorkload(owner, "", "{\"spec\":{\"active\":false}}");
  }

  void reject(String owner) {
    patchWorkload(
        owner,
        "/status",
        """
        {"status":{"admissionChecks":[{"name":"gate","state":"Rejected","message":"no",
        "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
        """);
  }

  Set<String> hostsOf(String job) {
    Set<String> hosts = new TreeSet<>();
    items(PODS)
        .filter(it -> it.at("/metadata/labels").path("job-name").asText().equals(job))
        .filter(it -> it.at("/status/phase").asText().equals("Running"))
        .filter(it -> !it.path("metadata").has("deletionTimestamp"))
        .forEach(it -> hosts.add(it.at("/spec/nodeName").asText()));
    return hosts;
  }

  Stream<JsonNode> requests() {
    return items("/apis/autoscaling.x-k8s.io/v1/namespaces/team/provisioningrequests");
  }

  boolean isAsked() {
    return requests().findAny().isPresent();
  }

  /** What an autoscaler says once the nodes are there. */
  void provision() {
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
  void fail(String node) {
    api.delete("/api/v1/nodes/" + node).orThrow();
    items(PODS)
        .filter(it -> it.at("/spec/nodeName").asText().equals(node))
        .forEach(
            it ->
                api.mergePatch(
                    PODS + "/" + it.at("/metadata/name").asText() + "/status",
                    "{\"status\":{\"phase\":\"Failed\"}}"));
  }

  void surplusPodOf(String job) {
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

  boolean isGone(String path) {
    return api.get(path).status() == 404;
  }

  boolean isDeployed() {
    JsonNode deployment =
        api.get("/apis/apps/v1/namespaces/sluice-system/deployments/sluice-webhook")
            .orThrow()
            .json();
    return deployment.at("/status/readyReplicas").asInt()
        == deployment.at("/spec/replicas").asInt();
  }

  JsonNode job(String name) {
    return api.get(JOBS + "/" + name).orThrow().json();
  }

  boolean runs(String path) {
    return !api.get(path).orThrow().json().at("/spec/suspend").asBoolean();
  }

  boolean ready(String path) {
    JsonNode found = api.get("/apis/apps/v1/namespaces/team/" + path).orThrow().json();
    return found.at("/status/readyReplicas").asInt() == 1;
  }

  boolean isOver(String pod) {
    ApiClient.Response answer = api.get(PODS + "/" + pod);
    return answer.status() == 404 || answer.json().at("/status/phase").asText().equals("Failed");
  }
}
