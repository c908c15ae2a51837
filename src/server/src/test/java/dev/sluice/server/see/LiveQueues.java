package dev.sluice.server.see;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.server.whatif.StoredObjects;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Objects as a cluster stores them, and an engine that has seen them and decides nothing. */
final class LiveQueues implements QueueSource, StoredObjects {
  static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final Map<GroupKind, Map<ObjectKey, JsonNode>> objects = new HashMap<>();
  private int versions;
  private QueueState last = new QueueState(snapshot(), tag(), NOW);

  private String tag() {
    return "\"v-" + versions + "\"";
  }

  /** Stores an object of that JSON, in which single quotes stand for double ones. */
  void store(String json) {
    ObjectNode object;
    try {
      object = (ObjectNode) MAPPER.readTree(json.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
    ObjectNode metadata = object.withObjectProperty("metadata");
    metadata.put("resourceVersion", Integer.toString(++versions));
    metadata.put("creationTimestamp", NOW.plusSeconds(versions).toString());
    metadata.put("uid", "uid-" + versions);
    GroupKind kind =
        GroupVersionKind.of(object.path("apiVersion").asText(), object.path("kind").asText())
            .groupKind();
    objects.computeIfAbsent(kind, _ -> new TreeMap<>()).put(ObjectKey.of(object), object);
    ObjectKind.of(kind).ifPresent(it -> engine.apply(change(it, object), NOW));
  }

  private static <T> Change change(ObjectKind<T> kind, JsonNode object) {
    return Change.upserted(kind, HubObjects.read(kind.type(), object));
  }

  void namespace(String name) {
    store("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}".formatted(name));
  }

  void flavor(String name) {
    store(
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ResourceFlavor','metadata':{'name':'%s'}}"
            .formatted(name));
  }

  /** A ClusterQueue with so much cpu of flavor {@code f}, and these members of its spec. */
  void clusterQueue(String name, int cpu, String members) {
    store(
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue','metadata':{'name':'%s'},
        'spec':{'namespaceSelector':{},%s'resourceGroups':[{'coveredResources':['cpu'],'flavors':[
        {'name':'f','resources':[{'name':'cpu','nominalQuota':'%d'}]}]}]}}\
        """
            .formatted(name, members, cpu));
  }

  void localQueue(String namespace, String name, String clusterQueue) {
    store(
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue','metadata':{'name':'%s',
        'namespace':'%s'},'spec':{'clusterQueue':'%s'}}\
        """
            .formatted(name, namespace, clusterQueue));
  }

  /** A Workload of LocalQueue {@code team} with one pod of so much cpu, which waits. */
  void waiting(String namespace, String name, int cpu, int priority) {
    workload(namespace, name, cpu, priority, "", "");
  }

  /** The same with quota of that ClusterQueue. */
  void running(String namespace, String name, int cpu, int priority, String clusterQueue) {
    running(namespace, name, cpu, priority, clusterQueue, "");
  }

  /** The same that was admitted now, and runs for so many seconds. */
  void runningFor(int seconds, String namespace, String name, int cpu, String clusterQueue) {
    String most = "'maximumExecutionTimeSeconds':%d,".formatted(seconds);
    running(namespace, name, cpu, 0, clusterQueue, most);
  }

  private void running(
      String namespace, String name, int cpu, int priority, String clusterQueue, String members) {
    String condition =
        "{'type':'%s','status':'True','reason':'%1$s','message':'','lastTransitionTime':'%s'}";
    workload(
        namespace,
        name,
        cpu,
        priority,
        members,
        """
        ,'status':{'admission':{'clusterQueue':'%s','podSetAssignments':[{'name':'main','count':1,
        'flavors':{'cpu':'f'},'resourceUsage':{'cpu':'%d'}}]},'conditions':[%s,%s]}\
        """
            .formatted(
                clusterQueue,
                cpu,
                condition.formatted("QuotaReserved", NOW),
                condition.formatted("Admitted", NOW)));
  }

  private void workload(
      String namespace, String name, int cpu, int priority, String members, String status) {
    store(
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','metadata':{'name':'%s',
        'namespace':'%s','ownerReferences':[{'apiVersion':'batch/v1','kind':'Job',
        'name':'%1$s-job','uid':'u','controller':true}]},'spec':{'queueName':'team','active':true,%s
        'priority':%d,'podSets':[{'name':'main','count':1,'template':{'spec':{'containers':[
        {'name':'c','resources':{'requests':{'cpu':'%d'}}}]}}}]}%s}\
        """
            .formatted(name, namespace, members, priority, cpu, status));
  }

  Snapshot snapshot() {
    return engine.snapshot(NOW);
  }

  @Override
  public Optional<QueueState> state() {
    if (!last.tag().equals(tag())) {
      last = new QueueState(snapshot(), tag(), NOW);
    }
    return Optional.of(last);
  }

  @Override
  public List<String> missing() {
    return List.of();
  }

  @Override
  public CompletableFuture<QueueFork> fork() {
    return CompletableFuture.completedFuture(new QueueFork(engine.fork(), state().orElseThrow()));
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, ObjectKey key) {
    return Optional.ofNullable(objects.getOrDefault(kind, Map.of()).get(key));
  }

  @Override
  public Collection<JsonNode> all(GroupKind kind) {
    return objects.getOrDefault(kind, Map.of()).values();
  }
}
