package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.cli.kinds.KindStory.Phase;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A namespace with one job of a kind: two queues, one of which has quota, the job of the sample,
 * and its Workload.
 */
public final class KindScene {
  /** Waits until something holds, and fails with what it was otherwise. */
  @FunctionalInterface
  public interface Awaiting {
    /**
     * Waits.
     *
     * @param more what else a failure tells
     */
    public void await(String what, BooleanSupplier condition, Supplier<String> more);
  }

  /** The LocalQueue that samples name; it has quota. */
  public static final String QUEUE = "user-queue";

  /** A LocalQueue without quota. */
  static final String EMPTY_QUEUE = "empty-queue";

  public static final String FLAVOR = "kinds";
  static final String NODE_LABEL = "example.com/pool";

  public static final Path SAMPLES = Path.of("..", "..", "manifests", "samples", "jobs");

  private final ApiClient api;
  private final Awaiting awaiting;
  private final KindStory story;
  private final String namespace;
  private String name = "";

  /** Nothing is created yet. */
  public KindScene(ApiClient api, Awaiting awaiting, KindStory story, String namespace) {
    this.api = api;
    this.awaiting = awaiting;
    this.story = story;
    this.namespace = namespace;
  }

  /** Creates the flavor that all scenes share; its node label and toleration are injected. */
  public static void createFlavor(ApiClient api) {
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

  /** Creates namespace and queues of its own, and what the story prepares. */
  KindScene open() {
    createNamespace();
    createQueue(QUEUE, 100);
    createQueue(EMPTY_QUEUE, 0);
    story.prepare(this);
    return this;
  }

  /** Creates the namespace with a queue to a ClusterQueue that is there already. */
  public KindScene open(String clusterQueue) {
    createNamespace();
    createLocalQueue(QUEUE, clusterQueue);
    story.prepare(this);
    return this;
  }

  private void createNamespace() {
    create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace));
  }

  private void createLocalQueue(String queue, String clusterQueue) {
    Kueue.create(api, ApiKind.LOCAL_QUEUE, namespace, queue, Kueue.localQueue(clusterQueue))
        .orThrow();
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
    createLocalQueue(queue, clusterQueue);
  }

  /** A client with all rights. */
  public ApiClient api() {
    return api;
  }

  /** The namespace of the job. */
  public String namespace() {
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
  public JsonNode createJob(String queue) {
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
        story.adjust(object);
        change.accept(object);
        stored = create(collection(story.framework()), object.toString());
      } else {
        String plural = object.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
        create(collection(type(object), plural), object.toString());
      }
    }
    name = stored.at("/metadata/name").asText();
    story.begin(this);
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

  /** The reference by which what an operator makes names the object that controls it. */
  static ObjectNode ownerReference(JsonNode owner) {
    ObjectNode reference = JsonNodeFactory.instance.objectNode().put("controller", true);
    reference.set("apiVersion", owner.path("apiVersion"));
    reference.set("kind", owner.path("kind"));
    reference.set("name", owner.at("/metadata/name"));
    reference.set("uid", owner.at("/metadata/uid"));
    return reference;
  }

  private String jobPath() {
    return collection(story.framework()) + "/" + name;
  }

  JsonNode job() {
    return api.get(jobPath()).orThrow().json();
  }

  /** Whether the job is stored. */
  public boolean hasJob() {
    return api.get(jobPath()).isSuccess();
  }

  /** A user deletes the job, and the garbage collector what was made of it. */
  public void deleteJob() {
    api.delete(jobPath()).orThrow();
    story.collect(this);
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

  /** The operator of the kind does what it does in that phase. */
  public void operate(Phase phase, String message) {
    story.operate(this, phase, message);
  }

  /** The Workloads of this namespace. */
  public List<JsonNode> workloads() {
    return items(Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, namespace));
  }

  /** All objects of that collection. */
  List<JsonNode> items(String collection) {
    return api.get(collection).orThrow().json().path("items").valueStream().toList();
  }

  /** A user switches the Workloads of the job on or off. */
  public void setActive(boolean active) {
    String collection = Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, namespace);
    for (JsonNode workload : workloads()) {
      api.mergePatch(
              collection + "/" + workload.at("/metadata/name").asText(),
              "{\"spec\":{\"active\":%s}}".formatted(active))
          .orThrow();
    }
  }

  /** Whether the job has all of its Workloads, and each has that condition with status True. */
  public boolean is(String condition) {
    return eachWorkload(it -> ApiClient.hasCondition(it, condition));
  }

  /** Whether the job has all of its Workloads, and this holds for each. */
  boolean eachWorkload(Predicate<JsonNode> condition) {
    List<JsonNode> all = workloads();
    if (all.size() > story.workloads()) {
      throw new AssertionError("Workloads (expected: %d): %s".formatted(story.workloads(), all));
    }
    return all.size() == story.workloads() && all.stream().allMatch(condition);
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
  public void await(String what, BooleanSupplier condition) {
    awaiting.await(
        what,
        condition,
        () ->
            (name.isEmpty() || !hasJob() ? "" : job() + "\n")
                + workloads()
                + "\n"
                + items("/api/v1/namespaces/" + namespace + "/pods"));
  }
}
