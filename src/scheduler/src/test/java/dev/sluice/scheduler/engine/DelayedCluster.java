package dev.sluice.scheduler.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An API server, a watch and a scheduler's engine with time between them: what is stored is told in
 * order but late, and each write is on its way to the server and its answer on the way back. Every
 * translation into changes of the engine is that of the scheduler.
 */
final class DelayedCluster {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");
  private static final List<String> NAMES = List.of("a", "b", "c", "d");

  private enum State {
    ON_ITS_WAY,
    STORED,
    CONFLICT,
    MISSING,
    UNHEARD
  }

  /** A write of ours. */
  private static final class Call {
    final StatusUpdate decided;
    final ObjectNode object;
    final String demanded;
    State state = State.ON_ITS_WAY;

    Call(StatusUpdate decided, ObjectNode object) {
      this.decided = decided;
      this.object = object;
      this.demanded = version(object);
    }
  }

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final Random random;
  private final Map<String, ObjectNode> server = new TreeMap<>();
  private final Deque<ObjectChange> watch = new ArrayDeque<>();
  private final Map<String, ObjectNode> view = new TreeMap<>();
  private final Map<String, StatusUpdate> desk = new TreeMap<>();
  private final List<Call> calls = new ArrayList<>();
  private long version = 100;
  private int late;

  DelayedCluster(Random random) {
    this.random = random;
    apply(
        Change.upserted(ObjectKind.NAMESPACE, read(Namespace.class, "{'metadata':{'name':'ns'}}")));
    apply(
        Change.upserted(
            ObjectKind.RESOURCE_FLAVOR, read(ResourceFlavor.class, "{'metadata':{'name':'f'}}")));
    apply(
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            read(
                ClusterQueue.class,
                "{'metadata':{'name':'cq'},'spec':{'namespaceSelector':{},"
                    + "'preemption':{'withinClusterQueue':'LowerPriority'},"
                    + "'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f',"
                    + "'resources':[{'name':'cpu','nominalQuota':'2'}]}]}]}}")));
    apply(
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            read(
                LocalQueue.class,
                "{'metadata':{'name':'lq','namespace':'ns'},'spec':{'clusterQueue':'cq'}}")));
  }

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, tree(json));
  }

  private static ObjectNode tree(String json) {
    try {
      return (ObjectNode) JSON.readTree(json.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private static Workload workload(JsonNode object) {
    return HubObjects.read(Workload.class, object);
  }

  private static String version(JsonNode object) {
    return object.path("metadata").path("resourceVersion").asText();
  }

  private static String uid(JsonNode object) {
    return object.path("metadata").path("uid").asText();
  }

  private static String name(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }

  private void apply(Change change) {
    engine.apply(change, T);
  }

  /** One thing happens, somewhere. */
  void happen() {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    switch (random.nextInt(12)) {
      case 0, 1 -> create(name);
      case 2 -> delete(name);
      case 3, 4 -> tellNext();
      case 5, 6 -> decide();
      case 7, 8 -> send(name);
      case 9 -> arrive();
      case 10 -> answer();
      default -> writeAsSomebodyElse(name);
    }
  }

  private void create(String name) {
    if (!server.containsKey(name)) {
      ObjectNode object =
          tree(
              """
              {'metadata':{'name':'%s','namespace':'ns','uid':'u%d','generation':1},
              'spec':{'queueName':'lq','priority':%d,'podSets':[{'name':'main','count':1,
              'template':{'spec':{'containers':[{'name':'c','resources':{'requests':{
              'cpu':'1'}}}]}}}]},'status':{}}\
              """
                  .formatted(name, version, random.nextInt(3)));
      store(object);
    }
  }

  private void store(ObjectNode object) {
    object.withObjectProperty("metadata").put("resourceVersion", String.valueOf(++version));
    ObjectNode before = server.put(name(object), object);
    watch.add(new ObjectChange(Optional.ofNullable(before), Optional.of(object)));
  }

  private void delete(String name) {
    ObjectNode before = server.remove(name);
    if (before != null) {
      version++;
      watch.add(new ObjectChange(Optional.of(before), Optional.empty()));
    }
  }

  void deleteAll() {
    List.copyOf(server.keySet()).forEach(this::delete);
  }

  private void tellNext() {
    ObjectChange change = watch.poll();
    if (change == null) {
      return;
    }
    change
        .after()
        .ifPresentOrElse(
            it -> view.put(name(it), (ObjectNode) it), () -> view.remove(name(change.latest())));
    EngineChanges.of(ApiKind.WORKLOAD.groupKind(), change).ifPresent(this::apply);
  }

  private void decide() {
    CycleResult result = engine.cycle(T);
    for (StatusUpdate decided : StatusUpdates.of(result)) {
      if (decided.isAssumed()) {
        desk.merge(decided.workload().name(), decided, (earlier, later) -> later.since(earlier));
      }
    }
  }

  private void send(String name) {
    StatusUpdate decided = desk.remove(name);
    if (decided == null) {
      return;
    }
    ObjectNode latest = view.get(name);
    if (latest == null || !uid(latest).equals(decided.base().metadata().uid())) {
      if (latest != null) {
        apply(new Change.WorkloadAnswered(workload(latest)));
      }
      EngineChanges.ofLost(decided).forEach(this::apply);
      return;
    }
    ObjectNode object = latest.deepCopy();
    object.set("status", HubObjects.write(decided.after().status()));
    calls.add(new Call(decided, object));
  }

  private Optional<Call> some(boolean arrived) {
    List<Call> found =
        calls.stream().filter(it -> (it.state != State.ON_ITS_WAY) == arrived).toList();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(found.get(random.nextInt(found.size())));
  }

  /** A write of ours reaches the server. */
  private void arrive() {
    some(false).ifPresent(this::carryOut);
  }

  private void carryOut(Call call) {
    ObjectNode there = server.get(name(call.object));
    if (there == null || !uid(there).equals(uid(call.object))) {
      call.state = State.MISSING;
    } else if (!version(there).equals(call.demanded)) {
      call.state = State.CONFLICT;
    } else {
      store(call.object);
      call.state = random.nextInt(5) == 0 ? State.UNHEARD : State.STORED;
    }
  }

  /** An answer reaches us, or the time is over in which it could. */
  private void answer() {
    some(true).ifPresent(this::hear);
  }

  private void hear(Call call) {
    calls.remove(call);
    ObjectNode shown = view.get(name(call.object));
    if (call.state == State.STORED && (shown == null || !uid(shown).equals(uid(call.object)))) {
      late++;
    }
    switch (call.state) {
      case STORED -> EngineChanges.ofStored(workload(call.object)).forEach(this::apply);
      case CONFLICT, UNHEARD -> // it is sent again, or given up
          desk.merge(name(call.object), call.decided, (later, earlier) -> later.since(earlier));
      case MISSING -> EngineChanges.ofLost(call.decided).forEach(this::apply);
      case ON_ITS_WAY -> throw new IllegalStateException("no answer yet");
    }
  }

  /** Another manager clears the reservation, ends the Workload, or only touches it. */
  private void writeAsSomebodyElse(String name) {
    ObjectNode before = server.get(name);
    if (before == null) {
      return;
    }
    ObjectNode object = before.deepCopy();
    ObjectNode status = object.withObjectProperty("status");
    switch (random.nextInt(3)) {
      case 0 -> status.remove(List.of("conditions", "admission"));
      case 1 ->
          status.set(
              "conditions",
              tree("{'c':[{'type':'Finished','status':'True','reason':'Succeeded',"
                      + "'message':'','lastTransitionTime':'2026-11-21T12:00:00Z'}]}")
                  .path("c"));
      default -> object.withObjectProperty("metadata").putObject("labels").put("touched", "yes");
    }
    store(object);
  }

  /** Everything on its way arrives, in any order. */
  void settle() {
    while (!watch.isEmpty() || !calls.isEmpty() || !desk.isEmpty()) {
      switch (random.nextInt(4)) {
        case 0 -> tellNext();
        case 1 -> arrive();
        case 2 -> answer();
        default -> List.copyOf(desk.keySet()).forEach(this::send);
      }
    }
  }

  /** How many writes were answered when the end of their Workload was told already. */
  int answersAfterTheEnd() {
    return late;
  }

  Snapshot snapshot() {
    return engine.snapshot(T);
  }

  Set<String> knownUids() {
    Set<String> uids = new TreeSet<>();
    snapshot().workloads().forEach(it -> uids.add(it.uid()));
    return uids;
  }

  Set<String> storedUids() {
    Set<String> uids = new TreeSet<>();
    server.values().forEach(it -> uids.add(uid(it)));
    return uids;
  }
}
