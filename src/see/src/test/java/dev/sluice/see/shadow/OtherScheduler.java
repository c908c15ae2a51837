package dev.sluice.see.shadow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.Node;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in which our engine stands for the other scheduler, a clock, and a {@link Shadow} that
 * is told what a watch would show.
 */
final class OtherScheduler {
  static final Duration GRACE = Duration.ofSeconds(5);

  private static final int MOST_CYCLES = 100;

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final Shadow shadow = new Shadow(EngineConfiguration.defaults(), GRACE);
  private final List<Judgement> judgements = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private long versions;

  OtherScheduler() {
    object(ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'a'}}");
    flavor("f");
    flavor("g");
  }

  Instant now() {
    return now;
  }

  List<Judgement> judgements() {
    return judgements;
  }

  /** How often there was each verdict, such as {@code same 2, later 1}. */
  String verdicts() {
    return new TreeMap<>(
            judgements.stream()
                .collect(Collectors.groupingBy(Judgement::verdict, Collectors.counting())))
        .entrySet().stream()
            .map(it -> it.getKey().text() + " " + it.getValue())
            .collect(Collectors.joining(", "));
  }

  void flavor(String name) {
    object(
        ObjectKind.RESOURCE_FLAVOR,
        ResourceFlavor.class,
        "{'metadata':{'name':'%s'}}".formatted(name));
  }

  /** Applies an object in which single quotes stand for double ones, at both places. */
  <T> void object(ObjectKind<T> kind, Class<T> type, String json) {
    told(Change.upserted(kind, read(type, json)));
  }

  static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  /** A change that both see. */
  void told(Change change) {
    engine.apply(change, now);
    judgements.addAll(shadow.take(change, now));
  }

  /** A change that only the other scheduler has seen yet. */
  void toldTheOther(Change change) {
    engine.apply(change, now);
  }

  /** A change that our watch shows later than the other scheduler saw it. */
  void shown(Change change) {
    judgements.addAll(shadow.take(change, now));
  }

  static Change clusterQueue(String name, String members, int f, int g) {
    String flavors =
        """
        {'name':'f','resources':[{'name':'cpu','nominalQuota':'%d'}]},
        {'name':'g','resources':[{'name':'cpu','nominalQuota':'%d'}]}\
        """
            .formatted(f, g);
    return Change.upserted(
        ObjectKind.CLUSTER_QUEUE,
        read(
            ClusterQueue.class,
            """
            {'metadata':{'name':'%s'},'spec':{'namespaceSelector':{},%s'resourceGroups':[
            {'coveredResources':['cpu'],'flavors':[%s]}]}}\
            """
                .formatted(name, members, flavors)));
  }

  /** A LocalQueue of the same name in namespace {@code a}, too. */
  void queue(String name, String members, int f, int g) {
    told(clusterQueue(name, members, f, g));
    object(
        ObjectKind.LOCAL_QUEUE,
        LocalQueue.class,
        "{'metadata':{'name':'%s','namespace':'a'},'spec':{'clusterQueue':'%s'}}"
            .formatted(name, name));
  }

  /** A node of a rack, with so much cpu. */
  void node(String name, String rack, int cpu) {
    object(
        ObjectKind.NODE,
        Node.class,
        """
        {'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s','rack':'%s'}},
        'status':{'allocatable':{'cpu':'%d','pods':'100'},
        'conditions':[{'type':'Ready','status':'True'}]}}\
        """
            .formatted(name, name, rack, cpu));
  }

  /** A Workload that both see, of one PodSet of pods with one cpu each. */
  ObjectKey workload(String name, String queue, int priority, int pods, String podSetMembers) {
    Workload workload = workloadObject(name, queue, priority, pods, podSetMembers);
    told(Change.upserted(ObjectKind.WORKLOAD, workload));
    return ObjectKey.of(workload.metadata());
  }

  ObjectKey workload(String name, String queue, int priority, int pods) {
    return workload(name, queue, priority, pods, "");
  }

  Workload workloadObject(String name, String queue, int priority, int pods, String podSetMembers) {
    return read(
        Workload.class,
        """
        {'metadata':{'name':'%s','namespace':'a','uid':'uid-%s','resourceVersion':'%d',
        'creationTimestamp':'%s'},'spec':{'queueName':'%s','priority':%d,'active':true,'podSets':[
        {'name':'main','count':%d,%s'template':{'spec':{'containers':[{'name':'c',
        'resources':{'requests':{'cpu':'1'}}}]}}}]}}\
        """
            .formatted(name, name, ++versions, now, queue, priority, pods, podSetMembers));
  }

  /** The other scheduler decides until nothing changes; what it writes is not shown yet. */
  List<Workload> decide() {
    List<Workload> written = new ArrayList<>();
    Map<ObjectKey, WorkloadState> last = new LinkedHashMap<>();
    for (int i = 0; i < MOST_CYCLES && cycle(written, last); i++) {
      // until nothing changes
    }
    last.values().forEach(this::store);
    shadow.decide(now);
    return written;
  }

  private boolean cycle(List<Workload> written, Map<ObjectKey, WorkloadState> last) {
    CycleResult result = engine.cycle(now);
    for (Outcome outcome : result.outcomes()) {
      List<StatusChange> changes = new ArrayList<>(outcome.others());
      changes.add(outcome.change());
      for (StatusChange change : changes) {
        if (change.isReal()) {
          written.add(versioned(change.after().workload()));
          last.put(change.workload(), change.after());
        }
      }
    }
    return result.changed();
  }

  private void store(WorkloadState decided) {
    engine.apply(Change.upserted(ObjectKind.WORKLOAD, versioned(decided.workload())), now);
    engine.apply(new Change.StatusStored(decided.key(), decided.uid()), now);
  }

  private Workload versioned(Workload workload) {
    String version = String.valueOf(++versions);
    return workload.with(workload.metadata().toBuilder().resourceVersion(version).build());
  }

  /** The watch shows these versions, numbered in this order. */
  void show(List<Workload> written) {
    for (Workload workload : written) {
      shown(Change.upserted(ObjectKind.WORKLOAD, versioned(workload)));
    }
  }

  /** The other scheduler decides, and the watch shows it at once. */
  void decideAndShow() {
    show(decide());
  }

  /** The Workload as the other scheduler has it. */
  WorkloadState state(ObjectKey key) {
    return requireNonNull(engine.snapshot(now).state(key), key.toString());
  }

  @Nullable WorkloadState find(ObjectKey key) {
    return engine.snapshot(now).state(key);
  }

  /** Somebody writes a status by hand, which both see. */
  void write(ObjectKey key, Consumer<StatusEditor> edit) {
    Workload workload = state(key).workload();
    StatusEditor editor = new StatusEditor(workload, StatusDetail.COARSE, now);
    edit.accept(editor);
    told(Change.upserted(ObjectKind.WORKLOAD, versioned(workload.with(editor.build()))));
  }

  /** An evicted Workload gives its quota back and waits again. */
  void release(ObjectKey key) {
    write(
        key,
        it ->
            it.giveBack(PendingReason.PENDING_EVALUATION.text(), "it was evicted")
                .requeue(true, ConditionTypes.PREEMPTED, "it was evicted"));
  }

  void delete(ObjectKey key) {
    told(new Change.Deleted(ObjectKind.WORKLOAD, key, state(key).uid()));
  }

  /** Time passes; our side looks every second. */
  void pass(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      Instant next = now.plusSeconds(1);
      now = next.isAfter(end) ? end : next;
      judgements.addAll(shadow.tick(now));
    }
  }

  long otherEvictions() {
    return shadow.otherEvictions();
  }

  /** Nothing is shown any more. */
  void end() {
    judgements.addAll(shadow.end(now));
  }
}
