package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.cli.kinds.KindStory.Phase;
import dev.sluice.cli.schedule.SchedulerBeside;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A namespace with one job of a kind: two queues, one of which has quota, the job of the sample,
 * and its Workload.
 */
final class KindScene {
  /** The LocalQueue that samples name; it has quota. */
  static final String QUEUE = "user-queue";

  /** A LocalQueue without quota. */
  static final String EMPTY_QUEUE = "empty-queue";

  static final String FLAVOR = "kinds";
  static final String NODE_LABEL = "example.com/pool";

  static final Path SAMPLES = Path.of("..", "..", "manifests", "samples", "jobs");

  private final ApiClient api;
  private final SchedulerBeside scheduler;
  private final KindStory story;
  private final String namespace;
  private String name = "";

  KindScene(ApiClient api, SchedulerBeside scheduler, KindStory story, String namespace) {
    this.api = api;
    this.scheduler = scheduler;
    this.story = story;
    this.namespace = namespace;
  }

  /** Creates the flavor that all scenes share; its node label and toleration are injected. */
  static void createFlavor(ApiClient api) {
    Kueue.create(
            api,
            ApiKind.RESOURCE_FLAVOR,
            FLAVOR,
            """
            {"nodeLabels":{"%s":"kinds"},"tolerations":[
            {"key":"example.com/spot","operator":"Exists","effect":"NoSchedule"}]}\
            """
                .formatted(NODE_LABEL))
        .orThrow();
  }

  /** Creates namespace and queues, and what the story prepares. */
  KindScene open() {
    create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace));
    createQueue(QUEUE, 100);
    createQueue(EMPTY_QUEUE, 0);
    story.prepare(this);
    return this;
  }

  private void createQueue(String queue, int quota) {
    String clusterQueue = namespace + "-" + queue;
    String spec =
        """
        {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu","memory"],"flavors":[{
        "name":"%s","resources":[{"name":"cpu","nominalQuota":%d},
        {"name":"memory","nominalQuota":"%dGi"}]}]}]}\
        """
            .formatted(FLAVOR, quota, quota);
    Kueue.create(api, ApiKind.CLUSTER_QUEUE, clusterQueue, spec).orThrow();
    Kueue.create(api, ApiKind.LOCAL_QUEUE, namespace, queue, Kueue.localQueue(clusterQueue))
        .orThrow();
  }

  ApiClient api() {
    return api;
  }

  String namespace() {
    return namespace;
  }

  /** Creates an object at that path. */
  JsonNode create(String collection, String body) {
    return api.create(collection, body).orThrow().json();
  }

  /**
   * Applies the manifest of the kind in this namespace.
   *
   * @return the job as the API server stored it
   */
  JsonNode createJob(String queue) {
    return createJob(queue, _ -> {});
  }

  /** The same for a job that is changed before. */
  JsonNode createJob(String queue, Consumer<ObjectNode> change) {
    JsonNode stored = MissingNode.getInstance();
    for (ObjectNode object : manifest()) {
      ((ObjectNode) object.path("metadata")).put("namespace", namespace);
      boolean isJob = object.path("kind").asText().equals(story.framework().type().kind());
      if (isJob) {
        object.withObject("/metadata/labels").put(Labels.QUEUE_NAME, queue);
        change.accept(object);
        stored = create(collection(story.framework()), object.toString());
      } else {
        String plural = object.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
        create(collection(type(object), plural), object.toString());
      }
    }
    name = stored.at("/metadata/name").asText();
    return stored;
  }

  private List<ObjectNode> manifest() {
    Path file = SAMPLES.resolve(story.sample() + ".yaml");
    try {
      return new YamlReader().readAll(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static GroupVersionKind type(JsonNode object) {
    return GroupVersionKind.of(object.path("apiVersion").asText(), object.path("kind").asText());
  }

  String collection(Framework framework) {
    return collection(framework.type(), framework.plural());
  }

  String collection(GroupVersionKind type, String plural) {
    String root = type.group().isEmpty() ? "/api/" : "/apis/" + type.group() + "/";
    return root + type.version() + "/namespaces/" + namespace + "/" + plural;
  }

  private String jobPath() {
    return collection(story.framework()) + "/" + name;
  }

  JsonNode job() {
    return api.get(jobPath()).orThrow().json();
  }

  /** Whether the job is stored. */
  boolean hasJob() {
    return api.get(jobPath()).isSuccess();
  }

  void deleteJob() {
    api.delete(jobPath()).orThrow();
  }

  /** Changes the job or its status; retries if another client wrote it at the same time. */
  void updateJob(boolean isStatus, Consumer<ObjectNode> change) {
    await(
        "the job is changed",
        () -> {
          ObjectNode job = (ObjectNode) job();
          change.accept(job);
          return api.put(jobPath() + (isStatus ? "/status" : ""), job.toString()).isSuccess();
        });
  }

  void operate(Phase phase, String message) {
    story.operate(this, phase, message);
  }

  /** The Workloads of this namespace. */
  List<JsonNode> workloads() {
    List<JsonNode> all = new ArrayList<>();
    String path = Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, namespace);
    api.get(path).orThrow().json().path("items").forEach(all::add);
    return all;
  }

  /** The one Workload of the job; missing while there is none. */
  JsonNode workload() {
    List<JsonNode> all = workloads();
    if (all.size() > 1) {
      throw new AssertionError("Workloads (expected: one): " + all);
    }
    return all.isEmpty() ? MissingNode.getInstance() : all.getFirst();
  }

  /** A user switches the Workload on or off. */
  void setActive(boolean active) {
    api.mergePatch(
            Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, namespace)
                + "/"
                + workload().at("/metadata/name").asText(),
            "{\"spec\":{\"active\":%s}}".formatted(active))
        .orThrow();
  }

  /** Whether the Workload has that condition with status True. */
  boolean is(String condition) {
    return ApiClient.hasCondition(workload(), condition);
  }

  /** What the queue with quota says is reserved: nothing at all, or something. */
  boolean isAnythingReserved() {
    String clusterQueue = namespace + "-" + QUEUE;
    JsonNode status =
        api.get(Kueue.path(ApiKind.CLUSTER_QUEUE, ApiVersion.HUB, clusterQueue))
            .orThrow()
            .json()
            .path("status");
    for (JsonNode flavor : status.path("flavorsReservation")) {
      for (JsonNode resource : flavor.path("resources")) {
        if (!resource.path("total").asText().equals("0")) {
          return true;
        }
      }
    }
    return status.path("reservingWorkloads").asInt() != 0;
  }

  /** Waits for it; the failure tells what the scheduler said last, the job and its Workload. */
  void await(String what, BooleanSupplier condition) {
    scheduler.await(
        what, condition, () -> (name.isEmpty() || !hasJob() ? "" : job() + "\n") + workloads());
  }
}
