package dev.sluice.cli.kinds;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.cli.Commands;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.schedule.SchedulerBeside;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.manifests.yaml.YamlReader;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice simulate} beside a cluster that gets the same manifests. */
@FullTier
@NeedsControlPlane
@Timeout(600)
class SimulateE2E {
  private static final String NAMESPACE = "default";

  /** Too little for all jobs: what comes first and which flavor it gets decides what is left. */
  private static final String QUEUES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: near}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: far}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: all}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu, memory]
          flavors:
          - name: near
            resources: [{name: cpu, nominalQuota: 7}, {name: memory, nominalQuota: 64Gi}]
          - name: far
            resources: [{name: cpu, nominalQuota: 6}, {name: memory, nominalQuota: 64Gi}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: user-queue, namespace: default}
      spec: {clusterQueue: all}
      """;

  private static final String ELASTIC =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: smaller
        namespace: default
        labels: {kueue.x-k8s.io/queue-name: user-queue}
        annotations: {kueue.x-k8s.io/job-min-parallelism: "2"}
      spec:
        parallelism: 5
        template:
          spec:
            restartPolicy: Never
            containers: [{name: c, image: none, resources: {requests: {cpu: 1, memory: 1Gi}}}]
      """;

  /** In the order of their priorities, the highest first. */
  private static final List<String> JOBS =
      List.of("jobset", "pytorchjob", "mpijob", "", "statefulset", "raycluster");

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER =
      new SchedulerBeside(
          CLUSTER,
          KindStories.frameworks(KindStories.all())
              + "  - statefulset\n"
              + "featureGates:\n  SparkApplicationIntegration: true\n");
  private static SluiceProcess process;

  @TempDir private Path folder;

  @BeforeAll
  static void theKindsAreServedAndASchedulerRuns() throws IOException {
    KindStories.serve(CLUSTER.api(), KindStories.all());
    process = SCHEDULER.start();
  }

  @AfterAll
  static void theSchedulerEnds() throws InterruptedException {
    SchedulerBeside.stop(process);
    process.close();
  }

  private static List<ObjectNode> manifests() throws IOException {
    List<ObjectNode> all = new ArrayList<>(new YamlReader().readAll("queues", QUEUES));
    for (int i = 0; i < JOBS.size(); i++) {
      String level = "level-" + i;
      all.add(
          new YamlReader()
              .read(
                  "class",
                  """
                  apiVersion: kueue.x-k8s.io/v1beta2
                  kind: WorkloadPriorityClass
                  metadata: {name: %s}
                  value: %d
                  """
                      .formatted(level, 100 - i)));
      for (ObjectNode object : job(JOBS.get(i))) {
        object.withObject("/metadata/labels").put(Labels.PRIORITY_CLASS, level);
        all.add(object);
      }
    }
    return all;
  }

  private static List<ObjectNode> job(String sample) throws IOException {
    if (sample.isEmpty()) {
      return List.of(new YamlReader().read("job", ELASTIC));
    }
    Path file = KindScene.SAMPLES.resolve(sample + ".yaml");
    return new YamlReader().readAll(file.toString(), Files.readString(file));
  }

  /** What becomes of each Workload, by its name without the hash of a uid. */
  private static Map<String, String> verdicts(Iterable<JsonNode> workloads) {
    Map<String, String> verdicts = new TreeMap<>();
    for (JsonNode workload : workloads) {
      String name = workload.at("/metadata/name").asText();
      verdicts.put(name.substring(0, name.lastIndexOf('-')), verdict(workload));
    }
    return verdicts;
  }

  private static String verdict(JsonNode workload) {
    if (Conditions.isTrue(workload, ConditionTypes.ADMITTED)) {
      StringBuilder text = new StringBuilder("admitted");
      for (JsonNode pods : workload.at("/status/admission/podSetAssignments")) {
        text.append(
            " %s: %s of %s"
                .formatted(pods.path("name").asText(), pods.path("count"), pods.path("flavors")));
      }
      return text.toString();
    }
    return Conditions.find(workload, ConditionTypes.QUOTA_RESERVED)
        .map(it -> "waits: " + it.path("reason").asText())
        .orElse("is new");
  }

  private Map<String, String> simulated() throws IOException {
    StringBuilder text = new StringBuilder();
    manifests().forEach(it -> text.append(it).append('\n'));
    Path file = Files.writeString(folder.resolve("manifests.json"), text, UTF_8);
    Commands.Ran ran = Commands.run("simulate", "-f", file.toString(), "-o", "json");
    assertThat(ran.code()).as(ran.err()).isZero();
    List<JsonNode> workloads = new ArrayList<>();
    for (JsonNode it : new JsonMapper().readTree(ran.out()).path("workloads")) {
      workloads.add(asWorkload(it));
    }
    return verdicts(workloads);
  }

  /** The line of the report in the form of the object that it is about. */
  private static ObjectNode asWorkload(JsonNode line) {
    ObjectNode workload = new JsonMapper().createObjectNode();
    workload.putObject("metadata").set("name", line.path("name"));
    ObjectNode status = workload.putObject("status");
    boolean admitted = line.path("state").asText().equals("Admitted");
    status
        .putArray("conditions")
        .addObject()
        .put("type", admitted ? ConditionTypes.ADMITTED : ConditionTypes.QUOTA_RESERVED)
        .put("status", admitted ? "True" : "False")
        .set("reason", line.path("reason"));
    status.set("admission", line.path("admission"));
    return workload;
  }

  private static List<JsonNode> live() {
    List<JsonNode> workloads = new ArrayList<>();
    CLUSTER
        .api()
        .get(Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, NAMESPACE))
        .orThrow()
        .json()
        .path("items")
        .forEach(workloads::add);
    return workloads;
  }

  private static void create(ObjectNode object) {
    GroupVersionKind kind =
        GroupVersionKind.of(object.path("apiVersion").asText(), object.path("kind").asText());
    String plural =
        Framework.find(kind.group(), kind.kind())
            .map(Framework::plural)
            .orElseGet(
                () ->
                    ApiKind.find(kind.kind())
                        .map(ApiKind::plural)
                        .orElse(kind.kind().toLowerCase(Locale.ROOT) + "s"));
    String namespace = object.at("/metadata/namespace").asText();
    String collection =
        "/apis/"
            + kind.apiVersion()
            + (namespace.isEmpty() ? "/" : "/namespaces/" + namespace + "/")
            + plural;
    CLUSTER.api().create(collection, object.toString()).orThrow();
  }

  /**
   * The queue is opened when the scheduler says of all Workloads why they wait, so that it does not
   * matter who was first.
   */
  @Test
  void admitsTheSameWorkloadsWithTheSameFlavorsAndPodsAsACluster() throws IOException {
    Map<String, String> simulated = simulated();
    for (ObjectNode object : manifests()) {
      if (object.path("kind").asText().equals(ApiKind.CLUSTER_QUEUE.kind())) {
        object.withObject("/spec").put("stopPolicy", "Hold");
      }
      create(object);
    }
    SCHEDULER.await(
        "the scheduler has queued a Workload of each job",
        () ->
            live().size() == JOBS.size()
                && live().stream().allMatch(it -> it.at("/status/conditions").size() > 0),
        () -> live().toString());

    CLUSTER
        .api()
        .mergePatch(
            Kueue.path(ApiKind.CLUSTER_QUEUE, ApiVersion.HUB, "all"),
            "{\"spec\":{\"stopPolicy\":\"None\"}}")
        .orThrow();
    SCHEDULER.await(
        "the cluster does what was simulated: " + simulated,
        () -> verdicts(live()).equals(simulated),
        () -> verdicts(live()).toString());

    assertThat(simulated).hasSize(JOBS.size());
    assertThat(simulated.get("job-smaller")).startsWith("admitted main: 2 of ");
    assertThat(simulated.values()).anyMatch(it -> it.startsWith("waits"));
  }
}
