package dev.sluice.bench.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.webhook.endpoint.MutationEndpoint;
import dev.sluice.webhook.endpoint.ValidationEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** What a busy API server asks at admission. */
public enum AdmissionCase {
  /** A ClusterQueue of two resources and four flavors is created. */
  CLUSTER_QUEUE_VALIDATION("ClusterQueue validate"),
  /** A queued Job of 6 KB is created: it is suspended. */
  JOB_MUTATION("Job mutate"),
  /** A queued, suspended Job of 6 KB is created. */
  JOB_VALIDATION("Job validate"),
  /** A queued Pod is created: it gets a gate, a label and a finalizer. */
  POD_MUTATION("Pod mutate"),
  /** A queued Pod is created. */
  POD_VALIDATION("Pod validate");

  private static final int REVIEWS = 64;
  private static final int TEAMS = 1000;
  private static final GroupVersionKind JOB = new GroupVersionKind("batch", "v1", "Job");
  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final JsonMapper MAPPER = new JsonMapper();

  private final String words;

  AdmissionCase(String words) {
    this.words = words;
  }

  /** Its name in tables. */
  public String words() {
    return words;
  }

  /** Reviews to send in turn; the same seed gives the same bytes. */
  public Corpus corpus(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    List<Review> reviews = new ArrayList<>();
    for (int i = 0; i < REVIEWS; i++) {
      reviews.add(review(i, random.nextInt(TEAMS)));
    }
    return new Corpus(1, reviews);
  }

  private Review review(int number, int team) {
    String uid = "00000000-0000-4000-8000-%012d".formatted(number);
    ObjectNode review = MAPPER.createObjectNode();
    review.put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/v1");
    ObjectNode request = review.putObject("request").put("uid", uid);
    request.set("kind", kindNode());
    request.set("requestKind", kindNode());
    request.put("name", "name-" + number).put("namespace", isNamespaced() ? "team-" + team : "");
    request.put("operation", "CREATE");
    ObjectNode user = request.putObject("userInfo").put("username", "someone@example.com");
    user.putArray("groups").add("teams").add("system:authenticated");
    request.set("object", object(number, team));
    request.putNull("oldObject").put("dryRun", false);
    request.putObject("options").put("kind", "CreateOptions").put("apiVersion", "meta.k8s.io/v1");
    return new Review(path() + "?timeout=10s", uid, 1, new Expected.Allowed(), bytes(review));
  }

  private GroupVersionKind kind() {
    return switch (this) {
      case CLUSTER_QUEUE_VALIDATION -> ApiKind.CLUSTER_QUEUE.hub();
      case JOB_MUTATION, JOB_VALIDATION -> JOB;
      case POD_MUTATION, POD_VALIDATION -> POD;
    };
  }

  private boolean isNamespaced() {
    return this != CLUSTER_QUEUE_VALIDATION;
  }

  private String path() {
    return switch (this) {
      case JOB_MUTATION, POD_MUTATION -> MutationEndpoint.path(kind());
      case CLUSTER_QUEUE_VALIDATION, JOB_VALIDATION, POD_VALIDATION ->
          ValidationEndpoint.path(kind());
    };
  }

  private ObjectNode kindNode() {
    GroupVersionKind kind = kind();
    return MAPPER
        .createObjectNode()
        .put("group", kind.group())
        .put("version", kind.version())
        .put("kind", kind.kind());
  }

  private ObjectNode object(int number, int team) {
    ObjectNode object =
        MAPPER.createObjectNode().put("apiVersion", kind().apiVersion()).put("kind", kind().kind());
    object.set("metadata", metadata(number, team));
    object.set(
        "spec",
        switch (this) {
          case CLUSTER_QUEUE_VALIDATION -> clusterQueue();
          case JOB_MUTATION, JOB_VALIDATION -> job(this == JOB_VALIDATION);
          case POD_MUTATION -> pod(2);
          case POD_VALIDATION -> gated(pod(2));
        });
    return object;
  }

  private ObjectNode metadata(int number, int team) {
    ObjectNode metadata = MAPPER.createObjectNode().put("name", "name-" + number);
    ObjectNode labels = metadata.putObject("labels").put("app.kubernetes.io/name", "training");
    if (isNamespaced()) {
      metadata.put("namespace", "team-" + team);
      labels.put("kueue.x-k8s.io/queue-name", "queue");
    }
    if (this == POD_VALIDATION) {
      labels.put("kueue.x-k8s.io/managed", "true");
    }
    metadata.putObject("annotations").put("example.com/cost-center", "4711");
    ObjectNode manager = metadata.putArray("managedFields").addObject();
    manager
        .put("manager", "kubectl-create")
        .put("operation", "Update")
        .put("fieldsType", "FieldsV1");
    manager.putObject("fieldsV1").putObject("f:spec").putObject("f:template").putObject(".");
    return metadata;
  }

  private static ObjectNode clusterQueue() {
    ObjectNode spec = MAPPER.createObjectNode().put("cohortName", "all");
    spec.putObject("namespaceSelector");
    spec.put("queueingStrategy", "BestEffortFIFO").put("stopPolicy", "None");
    spec.putObject("flavorFungibility")
        .put("whenCanBorrow", "MayStopSearch")
        .put("whenCanPreempt", "TryNextFlavor");
    ObjectNode group = spec.putArray("resourceGroups").addObject();
    group.putArray("coveredResources").add("cpu").add("memory");
    ArrayNode flavors = group.putArray("flavors");
    for (String name : List.of("reserved", "on-demand", "spot", "burst")) {
      ArrayNode resources = flavors.addObject().put("name", name).putArray("resources");
      resources.addObject().put("name", "cpu").put("nominalQuota", "64").put("borrowingLimit", "8");
      resources.addObject().put("name", "memory").put("nominalQuota", "256Gi");
    }
    return spec;
  }

  private static ObjectNode job(boolean suspended) {
    ObjectNode spec = MAPPER.createObjectNode().put("parallelism", 8).put("completions", 8);
    spec.put("backoffLimit", 6).put("completionMode", "NonIndexed").put("suspend", suspended);
    ObjectNode template = spec.putObject("template");
    template.putObject("metadata").putObject("labels").put("app.kubernetes.io/name", "training");
    template.set("spec", pod(4));
    return spec;
  }

  private static ObjectNode pod(int containers) {
    ObjectNode spec = MAPPER.createObjectNode().put("restartPolicy", "Never");
    spec.put("serviceAccountName", "trainer").put("terminationGracePeriodSeconds", 30);
    ArrayNode list = spec.putArray("containers");
    for (int i = 0; i < containers; i++) {
      ObjectNode container = list.addObject().put("name", "worker-" + i);
      container.put("image", "registry.example.com/team/training-image:2026.11." + i);
      container.putArray("command").add("/opt/run").add("--shard").add("" + i).add("--verbose");
      ArrayNode env = container.putArray("env");
      for (int k = 0; k < 14; k++) {
        env.addObject().put("name", "TRAINING_SETTING_" + k).put("value", "value of " + k);
      }
      ObjectNode resources = container.putObject("resources");
      resources.putObject("requests").put("cpu", "2").put("memory", "8Gi");
      resources.putObject("limits").put("memory", "8Gi");
      ArrayNode mounts = container.putArray("volumeMounts");
      mounts.addObject().put("name", "data").put("mountPath", "/data").put("readOnly", true);
      mounts.addObject().put("name", "scratch").put("mountPath", "/scratch");
    }
    ArrayNode volumes = spec.putArray("volumes");
    volumes.addObject().put("name", "scratch").putObject("emptyDir");
    volumes
        .addObject()
        .put("name", "data")
        .putObject("persistentVolumeClaim")
        .put("claimName", "training-data");
    return spec;
  }

  private static ObjectNode gated(ObjectNode pod) {
    pod.putArray("schedulingGates").addObject().put("name", "kueue.x-k8s.io/admission");
    return pod;
  }

  private static byte[] bytes(ObjectNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory cannot be written", e);
    }
  }
}
