package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.InMemoryObjects;
import dev.sluice.api.write.MergePatch;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.plan.RemoteStop;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The objects of a small cluster, and what an API server does with writes: resourceVersions,
 * generations, finalizers, the status apart from the rest. Nothing runs in it by itself.
 */
final class TestCluster implements JobWorld {
  /** A write that an API server refuses. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  static final String NAMESPACE = "ns";
  private static final int MAX_ROUNDS = 50;

  private final InMemoryObjects objects = new InMemoryObjects((_, _, _) -> {});
  private final List<Write.Event> events = new ArrayList<>();
  private final JobSettings settings;
  private final List<JobIntegration> kinds;
  private JobPlanner planner;
  private Instant now = Instant.parse("2026-11-21T12:00:00Z");

  private final Set<GroupKind> unserved = new HashSet<>();

  /** What is known of Pods on other clusters. */
  RemoteStop remoteStop = RemoteStop.LOCAL;

  boolean isReadyElsewhere;

  TestCluster(JobSettings settings) {
    this(settings, JobKinds.with(settings.customKinds()));
  }

  /** One whose scheduler plans jobs of these kinds, if the settings turn them on. */
  TestCluster(JobSettings settings, List<JobIntegration> kinds) {
    this.settings = settings;
    this.kinds = kinds;
    this.planner = new JobPlanner(settings, kinds);
  }

  Instant now() {
    return now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  /** Adds an object as a user would. */
  ObjectNode add(String text) {
    ObjectNode object = json(text);
    GroupVersionKind kind =
        GroupVersionKind.of(object.path("apiVersion").asText(), object.path("kind").asText());
    send(new Write.Create(ObjectRef.of(kind, object), object, "user"));
    return object;
  }

  /** Changes an object as its user or another controller would. */
  void change(JobKey key, Consumer<ObjectNode> change) {
    ObjectNode object = get(key).deepCopy();
    change.accept(object);
    objects.put(kind(key.kind(), object), object, now);
  }

  private static GroupVersionKind kind(GroupKind kind, JsonNode object) {
    return GroupVersionKind.of(object.path("apiVersion").asText(), kind.kind());
  }

  void changeWorkload(String name, Consumer<ObjectNode> change) {
    change(JobKey.of(WorkloadView.KIND, NAMESPACE, name), change);
  }

  /** Deletes an object as a user would. */
  void delete(JobKey key) {
    objects.delete(key.kind(), new ObjectKey(key.namespace(), key.name()), now);
  }

  /** What an API server does with that write. */
  void send(Write write) {
    if (write instanceof Write.Event event) {
      events.add(event);
    }
    if (write instanceof Write.MergePatch patch && patch.subresource().isEmpty()) {
      requireChangeable(patch);
    }
    objects
        .send(write, now)
        .ifPresent(
            why -> {
              throw new Refused(why);
            });
  }

  /** Nobody may change the template of a Job that has started or has Pods. */
  private void requireChangeable(Write.MergePatch patch) {
    ObjectRef job = patch.target();
    JsonNode before =
        objects
            .find(job.kind().groupKind(), job.namespace(), job.name())
            .orElse(MissingNode.getInstance());
    JsonNode spec = before.path("spec");
    JsonNode after = MergePatch.applied(before, patch.patch()).path("spec");
    boolean isWaiting = spec.path("suspend").asBoolean() && !before.path("status").has("startTime");
    if (job.kind().kind().equals("Job")
        && !isWaiting
        && !spec.path("template").equals(after.path("template"))) {
      throw new Refused(job + ": spec.template is immutable");
    }
  }

  /** Deletes what has owners of which none is there, as the garbage collector does. */
  void collectGarbage() {
    objects.collectGarbage(now);
  }

  /** Plans the key and sends what is planned, until there is nothing more to do. */
  void settle(JobKey key) {
    for (int round = 0; round < MAX_ROUNDS; round++) {
      List<Write> writes = plan(key).writes();
      if (writes.isEmpty()) {
        return;
      }
      writes.forEach(this::send);
    }
    throw new AssertionError("does not come to rest: " + plan(key));
  }

  /** Plans the key, sends the first write that changes something, and is killed. */
  boolean sendOne(JobKey key) {
    Optional<Write> first =
        plan(key).writes().stream().filter(it -> !(it instanceof Write.Event)).findFirst();
    first.ifPresent(this::send);
    planner = new JobPlanner(settings, kinds);
    return first.isPresent();
  }

  /**
   * Plans the key, and requires that no object that a plan reads is changed by it, and that what
   * earlier plans found makes no difference.
   */
  Plan plan(JobKey key) {
    List<String> before = texts();
    Plan plan = planner.plan(this, key, now);
    if (!texts().equals(before)) {
      throw new AssertionError("changed by a plan of " + key + ": " + texts() + " was: " + before);
    }
    Plan first = new JobPlanner(settings, kinds).plan(this, key, now);
    if (!withoutEvents(plan).equals(withoutEvents(first))) {
      throw new AssertionError(key + ": " + plan + " (expected, as a first plan: " + first + ")");
    }
    return plan;
  }

  /** Some events are sent once. */
  private static List<Write> withoutEvents(Plan plan) {
    return plan.writes().stream().filter(it -> !(it instanceof Write.Event)).toList();
  }

  private List<String> texts() {
    return objects.kinds().stream()
        .flatMap(kind -> objects.all(kind).stream())
        .map(JsonNode::toString)
        .toList();
  }

  JobPlanner planner() {
    return planner;
  }

  List<String> eventReasons() {
    return events.stream().map(Write.Event::reason).toList();
  }

  List<String> eventMessages() {
    return events.stream().map(it -> it.reason() + ": " + it.message()).toList();
  }

  void forgetEvents() {
    events.clear();
  }

  JsonNode get(JobKey key) {
    return find(key.kind(), key.namespace(), key.name()).orElseThrow();
  }

  JsonNode workload(String name) {
    return find(WorkloadView.KIND, NAMESPACE, name).orElseThrow();
  }

  /** The Workloads there are, in the order of their names. */
  List<JsonNode> workloads() {
    return all(WorkloadView.KIND);
  }

  /** The one Workload there is. */
  JsonNode onlyWorkload() {
    if (workloads().size() != 1) {
      throw new AssertionError("Workloads: " + workloads());
    }
    return workloads().getFirst();
  }

  String onlyWorkloadName() {
    return onlyWorkload().path("metadata").path("name").asText();
  }

  private List<JsonNode> all(GroupKind kind) {
    return List.copyOf(objects.all(kind));
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    if (unserved.contains(kind)) {
      return Optional.empty();
    }
    return objects.find(kind, namespace, name);
  }

  @Override
  public RemoteStop remoteStop(JsonNode workload) {
    return remoteStop;
  }

  @Override
  public boolean isReadyElsewhere(JsonNode workload) {
    return isReadyElsewhere;
  }

  @Override
  public boolean watches(GroupKind kind) {
    return planner.watched().stream().anyMatch(it -> it.groupKind().equals(kind));
  }

  @Override
  public boolean knows(GroupKind kind) {
    return !unserved.contains(kind);
  }

  /** The API server answers for a kind as if it had none, or has it again. */
  void serve(GroupKind kind, boolean serves) {
    if (serves) {
      unserved.remove(kind);
    } else {
      unserved.add(kind);
    }
  }

  @Override
  public List<JsonNode> list(GroupKind kind) {
    return all(kind);
  }

  @Override
  public List<JsonNode> workloadsOwnedBy(GroupKind kind, String namespace, String name) {
    return all(WorkloadView.KIND).stream()
        .filter(it -> it.path("metadata").path("namespace").asText().equals(namespace))
        .filter(
            it ->
                WorkloadView.items(it.path("metadata").path("ownerReferences")).stream()
                    .anyMatch(
                        owner ->
                            owner.path("kind").asText().equals(kind.kind())
                                && owner.path("name").asText().equals(name)))
        .toList();
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String namespace, String ownerUid) {
    return objects.controlledBy(kind, ownerUid);
  }

  @Override
  public List<JsonNode> podsOfGroup(String namespace, String group) {
    return all(JobKey.POD).stream().filter(it -> planner.groupOf(it).equals(group)).toList();
  }

  /** The state without what differs from run to run. */
  Map<String, JsonNode> state() {
    Map<String, JsonNode> state = new LinkedHashMap<>();
    for (GroupKind kind : objects.kinds()) {
      for (JsonNode object : objects.all(kind)) {
        ObjectNode copy = object.deepCopy();
        copy.withObject("/metadata")
            .remove(List.of("resourceVersion", "uid", "generation", "creationTimestamp"));
        state.put(kind + " " + ObjectKey.of(object), copy);
      }
    }
    return state;
  }
}
