package dev.sluice.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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

  private record Name(GroupKind kind, String namespace, String name) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      return toString().compareTo(other.toString());
    }
  }

  static final String NAMESPACE = "ns";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MAX_ROUNDS = 50;

  private final TreeMap<Name, ObjectNode> objects = new TreeMap<>();
  private final List<Write.Event> events = new ArrayList<>();
  private final JobSettings settings;
  private JobPlanner planner;
  private long versions = 100;
  private final Map<String, Integer> uids = new HashMap<>();
  private Instant now = Instant.parse("2026-11-21T12:00:00Z");

  private final Set<GroupKind> unserved = new HashSet<>();

  TestCluster(JobSettings settings) {
    this.settings = settings;
    this.planner = new JobPlanner(settings);
  }

  static ObjectNode json(String text) {
    try {
      return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
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
    create(kind, object);
    return object;
  }

  private void create(GroupVersionKind kind, ObjectNode body) {
    ObjectNode object = body.deepCopy();
    ObjectNode metadata = object.withObject("/metadata");
    Name name =
        new Name(
            kind.groupKind(),
            metadata.path("namespace").asText(""),
            metadata.path("name").asText());
    if (objects.containsKey(name)) {
      throw new Refused(name + " exists");
    }
    if (!metadata.has("uid")) {
      metadata.put("uid", uid(kind.kind()));
    }
    metadata.put("creationTimestamp", now.toString()).put("generation", 1);
    put(name, object);
  }

  /** Counted for each kind, so that who is created first of two kinds does not matter. */
  private String uid(String kind) {
    return "%08x-0000-4000-8000-%012d"
        .formatted(kind.hashCode(), uids.merge(kind, 1, Integer::sum));
  }

  private void put(Name name, ObjectNode object) {
    object.withObject("/metadata").put("resourceVersion", Long.toString(++versions));
    objects.put(name, object);
  }

  /** Changes an object as its user or another controller would. */
  void change(JobKey key, Consumer<ObjectNode> change) {
    Name name = new Name(key.kind(), key.namespace(), key.name());
    ObjectNode object = Objects.requireNonNull(objects.get(name), name.toString()).deepCopy();
    change.accept(object);
    store(name, object);
  }

  void changeWorkload(String name, Consumer<ObjectNode> change) {
    change(JobKey.of(WorkloadView.KIND, NAMESPACE, name), change);
  }

  private void store(Name name, ObjectNode object) {
    ObjectNode before = Objects.requireNonNull(objects.get(name));
    if (before.equals(object)) {
      return;
    }
    if (!before.path("spec").equals(object.path("spec"))) {
      ObjectNode metadata = object.withObject("/metadata");
      metadata.put("generation", metadata.path("generation").asLong() + 1);
    }
    if (object.path("metadata").has("deletionTimestamp")
        && object.path("metadata").path("finalizers").isEmpty()) {
      objects.remove(name);
    } else {
      put(name, object);
    }
  }

  /** Deletes an object as a user would. */
  void delete(JobKey key) {
    remove(new Name(key.kind(), key.namespace(), key.name()));
  }

  private void remove(Name name) {
    ObjectNode object = objects.get(name);
    if (object == null) {
      return;
    }
    if (object.path("metadata").path("finalizers").isEmpty()) {
      objects.remove(name);
    } else if (!object.path("metadata").has("deletionTimestamp")) {
      object.withObject("/metadata").put("deletionTimestamp", now.toString());
      put(name, object);
    }
  }

  /** What an API server does with that write. */
  void send(Write write) {
    Name name = name(write.target());
    switch (write) {
      case Write.Create create -> create(create.target().kind(), create.body());
      case Write.MergePatch patch -> merge(name, patch);
      case Write.Apply apply -> apply(name, apply);
      case Write.Delete delete -> {
        requireUid(name, delete.target());
        remove(name);
      }
      case Write.Event event -> events.add(event);
    }
  }

  private static Name name(ObjectRef target) {
    return new Name(target.kind().groupKind(), target.namespace(), target.name());
  }

  private ObjectNode requireUid(Name name, ObjectRef target) {
    ObjectNode object = objects.get(name);
    if (object == null || !object.path("metadata").path("uid").asText().equals(target.uid())) {
      throw new Refused(name + " is not found");
    }
    return object;
  }

  private void merge(Name name, Write.MergePatch patch) {
    ObjectNode object = requireUid(name, patch.target());
    String version = object.path("metadata").path("resourceVersion").asText();
    if (patch.resourceVersion() != null && !version.equals(patch.resourceVersion())) {
      throw new Refused(name + " has changed");
    }
    ObjectNode merged = (ObjectNode) merge(object.deepCopy(), patch.patch());
    ObjectNode after = keep(object, merged, patch.subresource());
    requireChangeable(name, object, after);
    store(name, after);
  }

  /** Nobody may change the template of a Job that has started or has Pods. */
  private static void requireChangeable(Name name, ObjectNode before, ObjectNode after) {
    JsonNode spec = before.path("spec");
    boolean isWaiting = spec.path("suspend").asBoolean() && !before.path("status").has("startTime");
    if (name.kind().kind().equals("Job")
        && !isWaiting
        && !spec.path("template").equals(after.path("spec").path("template"))) {
      throw new Refused(name + ": spec.template is immutable");
    }
  }

  /** A write to the status changes nothing else, and one to the object not the status. */
  private static ObjectNode keep(ObjectNode before, ObjectNode after, String subresource) {
    ObjectNode kept = (subresource.isEmpty() ? after : before).deepCopy();
    JsonNode status = (subresource.isEmpty() ? before : after).path("status");
    kept.remove("status");
    if (!status.isMissingNode()) {
      kept.set("status", status);
    }
    return kept;
  }

  static JsonNode merge(JsonNode target, JsonNode patch) {
    if (!patch.isObject()) {
      return patch;
    }
    ObjectNode merged = target.isObject() ? (ObjectNode) target : MAPPER.createObjectNode();
    for (Map.Entry<String, JsonNode> member : patch.properties()) {
      if (member.getValue().isNull()) {
        merged.remove(member.getKey());
      } else {
        merged.set(member.getKey(), merge(merged.path(member.getKey()), member.getValue()));
      }
    }
    return merged;
  }

  /** As far as it is used here: conditions of a status, by their type. */
  private void apply(Name name, Write.Apply apply) {
    ObjectNode object = requireUid(name, apply.target()).deepCopy();
    ArrayNode list = object.withObject("/status").withArray("conditions");
    for (JsonNode condition : apply.body().path("status").path("conditions")) {
      list.removeIf(it -> it.path("type").equals(condition.path("type")));
      list.add(condition);
    }
    store(name, object);
  }

  /** Deletes what has owners of which none is there, as the garbage collector does. */
  void collectGarbage() {
    Set<String> uids = new HashSet<>();
    objects.values().forEach(it -> uids.add(it.path("metadata").path("uid").asText()));
    for (Map.Entry<Name, ObjectNode> entry : List.copyOf(objects.entrySet())) {
      List<JsonNode> owners =
          WorkloadView.items(entry.getValue().path("metadata").path("ownerReferences"));
      if (!owners.isEmpty()
          && owners.stream().noneMatch(it -> uids.contains(it.path("uid").asText()))) {
        remove(entry.getKey());
      }
    }
  }

  /** Plans the key and sends what is planned, until there is nothing more to do. */
  void settle(JobKey key) {
    for (int round = 0; round < MAX_ROUNDS; round++) {
      List<Write> writes = planner.plan(this, key, now).writes();
      if (writes.isEmpty()) {
        return;
      }
      writes.forEach(this::send);
    }
    throw new AssertionError("does not come to rest: " + planner.plan(this, key, now));
  }

  /** Plans the key, sends the first write that changes something, and is killed. */
  boolean sendOne(JobKey key) {
    Optional<Write> first =
        planner.plan(this, key, now).writes().stream()
            .filter(it -> !(it instanceof Write.Event))
            .findFirst();
    first.ifPresent(this::send);
    planner = new JobPlanner(settings);
    return first.isPresent();
  }

  Plan plan(JobKey key) {
    return planner.plan(this, key, now);
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
    List<JsonNode> found = new ArrayList<>();
    objects.forEach(
        (name, object) -> {
          if (name.kind().equals(kind)) {
            found.add(object);
          }
        });
    return found;
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    if (unserved.contains(kind)) {
      return Optional.empty();
    }
    return Optional.ofNullable(objects.get(new Name(kind, namespace, name)));
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
    return all(kind).stream()
        .filter(
            it ->
                WorkloadView.items(it.path("metadata").path("ownerReferences")).stream()
                    .anyMatch(
                        owner ->
                            owner.path("controller").asBoolean()
                                && owner.path("uid").asText().equals(ownerUid)))
        .toList();
  }

  @Override
  public List<JsonNode> podsOfGroup(String namespace, String group) {
    return all(JobKey.POD).stream().filter(it -> planner.groupOf(it).equals(group)).toList();
  }

  /** The state without what differs from run to run. */
  Map<String, JsonNode> state() {
    Map<String, JsonNode> state = new LinkedHashMap<>();
    objects.forEach(
        (name, object) -> {
          ObjectNode copy = object.deepCopy();
          copy.withObject("/metadata")
              .remove(List.of("resourceVersion", "uid", "generation", "creationTimestamp"));
          state.put(name.toString(), copy);
        });
    return state;
  }
}
