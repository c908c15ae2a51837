package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.ReclaimablePod;
import dev.sluice.api.workload.RequeueState;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.RecordedOutcome;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in which everything happens at random: queues, cohorts (also in circles) and flavors
 * come, change and go; workloads come, end and give way. The seed decides all of it.
 */
final class RandomWorld {
  private static final int WORKLOADS_OF_A_QUEUE = 8;
  private static final int LARGE = 100;
  private static final String[] RECLAIM = {"Never", "LowerPriority", "Any"};
  private static final String[] WITHIN = {"Never", "LowerPriority", "LowerOrNewerEqualPriority"};
  private static final String[] STRATEGY = {"StrictFIFO", "BestEffortFIFO"};
  private static final String[] SEARCH = {"MayStopSearch", "TryNextFlavor"};

  private final Random random;
  private final EngineConfiguration configuration;
  private final int queues;
  private final RandomEdits edits;
  private QuotaEngine engine;
  private @Nullable QuotaEngine mirror;
  private BiConsumer<QuotaEngine, CycleResult> comparison =
      (other, result) -> assertThat(other.cycle(now())).isEqualTo(result);
  private @Nullable BiConsumer<Instant, Event> recorder;
  private final Map<String, Change> objects = new LinkedHashMap<>();
  private final List<ObjectKey> workloads = new ArrayList<>();
  private final Set<ObjectKey> givingWay = new LinkedHashSet<>();
  private Instant now = TestCluster.START;
  private int created;
  private String touched = "q0";

  RandomWorld(long seed, EngineConfiguration configuration, int queues) {
    this.random = new Random(seed);
    this.configuration = configuration;
    this.queues = queues;
    this.edits = new RandomEdits(random, Math.max(1, queues / 2));
    this.engine = new QuotaEngine(configuration);
    put(
        "namespace",
        Change.upserted(
            ObjectKind.NAMESPACE, read(Namespace.class, "{'metadata':{'name':'default'}}")));
    for (int i = 0; i < 3; i++) {
      flavor(i);
    }
    for (int i = 0; i < Math.max(1, queues / 2); i++) {
      cohort(i, false);
    }
    for (int i = 0; i < queues; i++) {
      clusterQueue(i);
      localQueue(i, i);
    }
  }

  Snapshot snapshot() {
    if (mirror != null) {
      // a look settles the trees; a pair that came and went between two looks is not awaited
      var _ = mirror.snapshot(now);
    }
    record(new Event.Looked());
    return engine.snapshot(now);
  }

  EngineConfiguration configuration() {
    return configuration;
  }

  /** The rules of a ClusterQueue that is there. */
  QueueRules rules(String queue) {
    return objects.get(queue) instanceof Change.Upserted<?>(_, ClusterQueue object)
        ? new QueueRules(object)
        : new QueueRules(TestCluster.clusterQueue(queue, ""));
  }

  /** From here on the other engine receives all that this world's engine does, and is compared. */
  void mirror(QuotaEngine other) {
    mirror = other;
  }

  /**
   * The same with a comparison of its own.
   *
   * @param compared receives the other engine before each cycle, and the result of this world's
   */
  void mirror(QuotaEngine other, BiConsumer<QuotaEngine, CycleResult> compared) {
    mirror = other;
    comparison = compared;
  }

  /**
   * From here on all that this world's engine is told and decides is recorded, the past first. It
   * runs cycles as a scheduler does, which may record them.
   */
  void record(BiConsumer<Instant, Event> events) {
    recorder = events;
    objects.values().forEach(change -> record(new Event.Applied(change)));
  }

  private void record(Event event) {
    if (recorder != null) {
      recorder.accept(now, event);
    }
  }

  private void tell(Change change) {
    record(new Event.Applied(change));
    engine.apply(change, now);
    if (mirror != null) {
      mirror.apply(change, now);
    }
  }

  private void put(String name, Change change) {
    objects.put(name, change);
    tell(change);
  }

  private void gone(String name, ObjectKind<?> kind) {
    if (objects.remove(name) != null) {
      tell(Change.Deleted.of(kind, name));
    }
  }

  private String pick(String... values) {
    return values[random.nextInt(values.length)];
  }

  /** One random event; answers what a cycle did, if it was one. */
  CycleResult step() {
    return step(random.nextInt(100));
  }

  /** One random event, but flavors stay, and of queues and cohorts changes at most one thing. */
  void smallStep() {
    int dice = random.nextInt(100);
    step(dice < 57 ? dice : 72 + dice % 28);
  }

  private CycleResult step(int dice) {
    now = now.plusSeconds(1);
    touched = "q" + random.nextInt(queues);
    boolean full = workloads.size() > WORKLOADS_OF_A_QUEUE * queues;
    if (full && (dice < 37 || (dice >= 80 && dice < 96 && queues > LARGE))) {
      leave();
    } else if (dice < 37) {
      arrive();
    } else if (dice < 46) {
      leave();
    } else if (dice < 49) {
      changePriority();
    } else if (dice < 51) {
      givePodsBack();
    } else if (dice < 57) {
      edit();
    } else if (dice < 61) {
      clusterQueue(Integer.parseInt(touched.substring(1)));
    } else if (dice < 63) {
      cohort(random.nextInt(Math.max(1, queues / 2)), true);
    } else if (dice < 65) {
      gone("c" + random.nextInt(Math.max(1, queues / 2)), ObjectKind.COHORT);
    } else if (dice < 67) {
      gone(touched, ObjectKind.CLUSTER_QUEUE);
    } else if (dice < 69) {
      flavor(random.nextInt(3));
    } else if (dice < 70) {
      gone("f" + random.nextInt(3), ObjectKind.RESOURCE_FLAVOR);
    } else if (dice < 72) {
      localQueue(random.nextInt(queues), random.nextInt(queues));
    } else if (dice < 80) {
      completeEvictions();
    } else if (queues > LARGE && dice < 96) { // a cycle looks at hundreds of heads there
      arrive();
    } else {
      return cycle();
    }
    return new CycleResult(List.of(), false);
  }

  /** One thing of a queue or a cohort that is there changes. */
  void edit() {
    List<String> names = new ArrayList<>();
    objects.forEach(
        (name, object) -> {
          if (object instanceof Change.Upserted<?>(var kind, _)
              && (kind == ObjectKind.CLUSTER_QUEUE || kind == ObjectKind.COHORT)) {
            names.add(name);
          }
        });
    String name = names.isEmpty() ? "" : names.get(random.nextInt(names.size()));
    if (objects.get(name) instanceof Change.Upserted<?>(_, ClusterQueue queue)) {
      touched = name;
      put(name, Change.upserted(ObjectKind.CLUSTER_QUEUE, edits.edited(queue)));
    } else if (objects.get(name) instanceof Change.Upserted<?>(_, Cohort cohort)) {
      put(name, Change.upserted(ObjectKind.COHORT, edits.edited(cohort)));
    }
  }

  /** Everybody is looked at anew, and nobody moves any more; false where somebody always does. */
  boolean comesToRest() {
    for (int attempt = 0; attempt < 10; attempt++) {
      List<Change> all = new ArrayList<>(objects.values());
      snapshot()
          .workloads()
          .forEach(state -> all.add(Change.upserted(ObjectKind.WORKLOAD, state.workload())));
      engine = retold(all);
      if (rest(2000).stream().noneMatch(RandomWorld::moves)) {
        return true;
      }
    }
    return false;
  }

  private static boolean moves(Decision decision) {
    return decision instanceof Decision.Reserved || decision instanceof Decision.Preempting;
  }

  /** Whether anybody is given quota, or has to give way, before nothing happens any more. */
  boolean moves(QuotaEngine other) {
    boolean moved = false;
    for (int cycle = 0; cycle < 1000; cycle++) {
      CycleResult result = other.cycle(now);
      moved |= result.outcomes().stream().map(Outcome::decision).anyMatch(RandomWorld::moves);
      if (moved || !result.changed()) {
        return moved;
      }
    }
    throw new AssertionError("no rest after 1000 cycles");
  }

  QuotaEngine engine() {
    return engine;
  }

  CycleResult cycle() {
    CycleResult result = recorder == null ? engine.cycle(now) : engine.cycleOfNews(now);
    record(new Event.Cycled(result.outcomes().stream().map(RecordedOutcome::of).toList()));
    if (mirror != null) {
      comparison.accept(mirror, result);
    }
    for (Outcome outcome : result.outcomes()) {
      if (outcome.decision() instanceof Decision.Preempting(_, var targets)) {
        targets.forEach(target -> givingWay.add(target.workload()));
      }
    }
    return result;
  }

  /** The queue that the last step was about, or some queue where it was about none. */
  String touched() {
    return touched;
  }

  /** What the engine finds out about events that nobody in the queue would hear of. */
  List<String> unheard(String queue) {
    return engine.auditWakeUps(queue);
  }

  private void flavor(int index) {
    String taint = random.nextInt(4) == 0 ? "'nodeTaints':[{'key':'k','effect':'NoSchedule'}]" : "";
    put(
        "f" + index,
        Change.upserted(
            ObjectKind.RESOURCE_FLAVOR,
            read(
                ResourceFlavor.class,
                "{'metadata':{'name':'f%d'},'spec':{%s}}".formatted(index, taint))));
  }

  private void cohort(int index, boolean maybeCircular) {
    int parent = random.nextInt(maybeCircular ? Math.max(1, queues / 2) : index + 1);
    String up = parent == index || random.nextInt(3) == 0 ? "" : "'parentName':'c" + parent + "',";
    put(
        "c" + index,
        Change.upserted(
            ObjectKind.COHORT,
            read(
                Cohort.class,
                "{'metadata':{'name':'c%d'},'spec':{%s'fairSharing':{'weight':'%s'},'resourceGroups':[%s]}}"
                    .formatted(index, up, pick("1", "2", "500m", "0"), quota()))));
  }

  private String quota() {
    List<String> flavors = new ArrayList<>();
    boolean both = random.nextInt(3) > 0;
    boolean pods = random.nextInt(4) == 0;
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      String gpu = both ? "," + resource("gpu", 6) : "";
      String count = pods ? "," + resource("pods", 10) : "";
      flavors.add(
          "{'name':'f%d','resources':[%s%s%s]}".formatted(i, resource("cpu", 12), gpu, count));
    }
    return "{'coveredResources':['cpu'%s%s],'flavors':[%s]}"
        .formatted(both ? ",'gpu'" : "", pods ? ",'pods'" : "", String.join(",", flavors));
  }

  private String resource(String name, int most) {
    return "{'name':'%s','nominalQuota':'%d'%s%s}"
        .formatted(name, random.nextInt(most), limit("borrowing"), limit("lending"));
  }

  private String limit(String name) {
    return random.nextInt(3) == 0 ? ",'%sLimit':'%d'".formatted(name, random.nextInt(8)) : "";
  }

  private void clusterQueue(int index) {
    String borrow =
        random.nextInt(3) == 0
            ? ",'borrowWithinCohort':{'policy':'LowerPriority','maxPriorityThreshold':"
                + random.nextInt(5)
                + "}"
            : "";
    put(
        "q" + index,
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            read(
                ClusterQueue.class,
                """
                {'metadata':{'name':'q%d'},'spec':{'namespaceSelector':{},'queueingStrategy':'%s',
                %s'fairSharing':{'weight':'%s'},'stopPolicy':'%s',
                'flavorFungibility':{'whenCanBorrow':'%s','whenCanPreempt':'%s'},
                'preemption':{'withinClusterQueue':'%s','reclaimWithinCohort':'%s'%s},
                'resourceGroups':[%s]}}\
                """
                    .formatted(
                        index,
                        pick(STRATEGY),
                        random.nextInt(5) == 0
                            ? ""
                            : "'cohortName':'c" + random.nextInt(Math.max(1, queues / 2)) + "',",
                        pick("1", "1", "3", "0"),
                        random.nextInt(12) == 0 ? "Hold" : "None",
                        pick(SEARCH),
                        pick(SEARCH),
                        pick(WITHIN),
                        pick(RECLAIM),
                        borrow,
                        quota()))));
  }

  private void localQueue(int index, int clusterQueue) {
    put(
        "l" + index,
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            read(
                LocalQueue.class,
                "{'metadata':{'name':'l%d','namespace':'default'},'spec':{'clusterQueue':'q%d','stopPolicy':'%s'}}"
                    .formatted(index, clusterQueue, random.nextInt(12) == 0 ? "Hold" : "None"))));
  }

  private void arrive() {
    String name = "w" + created++;
    int count = 1 + random.nextInt(4);
    String least = random.nextInt(4) == 0 ? ",'minCount':1" : "";
    String gpu = random.nextInt(3) == 0 ? ",'gpu':'" + (1 + random.nextInt(2)) + "'" : "";
    String tolerates = random.nextInt(2) == 0 ? ",'tolerations':[{'operator':'Exists'}]" : "";
    Workload workload =
        read(
            Workload.class,
            """
            {'metadata':{'name':'%s','namespace':'default','uid':'%s','creationTimestamp':'%s'},
            'spec':{'queueName':'l%d','priority':%d,'podSets':[{'name':'main','count':%d%s,
            'template':{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'%d'%s}}}]%s}}}]}}\
            """
                .formatted(
                    name,
                    name,
                    now,
                    random.nextInt(queues),
                    random.nextInt(4),
                    count,
                    least,
                    1 + random.nextInt(4),
                    gpu,
                    tolerates));
    workloads.add(ObjectKey.of(workload.metadata()));
    tell(Change.upserted(ObjectKind.WORKLOAD, workload));
  }

  private void leave() {
    if (workloads.isEmpty()) {
      return;
    }
    ObjectKey key = workloads.get(random.nextInt(workloads.size()));
    touch(snapshot().state(key));
    if (random.nextBoolean()) {
      workloads.remove(key);
      tell(new Change.Deleted(ObjectKind.WORKLOAD, key));
      return;
    }
    Workload workload = snapshot().workload(key);
    if (workload != null) {
      tell(Change.upserted(ObjectKind.WORKLOAD, with(workload, "Finished", true, false)));
    }
  }

  private @Nullable Workload someWorkload() {
    WorkloadState state =
        workloads.isEmpty()
            ? null
            : snapshot().state(workloads.get(random.nextInt(workloads.size())));
    touch(state);
    return state == null ? null : state.workload();
  }

  /** The step is about where the workload holds quota, or waits. */
  private void touch(@Nullable WorkloadState workload) {
    String queue =
        workload == null
            ? null
            : workload.holdsQuota() ? workload.reservedIn() : snapshot().queueFor(workload);
    touched = queue == null ? touched : queue;
  }

  /** Somebody, who may hold quota, becomes more or less important. */
  private void changePriority() {
    Workload workload = someWorkload();
    if (workload != null) {
      WorkloadSpec old = workload.spec();
      var spec =
          new WorkloadSpec(
              old.podSets(),
              old.queueName(),
              old.priorityClassRef(),
              random.nextInt(4),
              old.active(),
              old.maximumExecutionTimeSeconds(),
              old.preemptionGates());
      tell(Change.upserted(ObjectKind.WORKLOAD, workload.with(spec)));
    }
  }

  /** Some pods of somebody have ended and are not needed again. */
  private void givePodsBack() {
    Workload workload = someWorkload();
    if (workload != null) {
      int count = random.nextInt(1 + workload.spec().podSets().getFirst().count());
      WorkloadStatus old = workload.status();
      var status =
          status(
              old,
              old.conditions(),
              old.admission(),
              List.of(new ReclaimablePod("main", count)),
              old.requeueState());
      tell(Change.upserted(ObjectKind.WORKLOAD, workload.with(status)));
    }
  }

  private static WorkloadStatus status(
      WorkloadStatus old,
      List<Condition> conditions,
      @Nullable Admission admission,
      List<ReclaimablePod> reclaimable,
      @Nullable RequeueState requeue) {
    return new WorkloadStatus(
        conditions,
        admission,
        old.admissionChecks(),
        requeue,
        reclaimable,
        old.resourceRequests(),
        old.preemptionGates(),
        old.accumulatedPastExecutionTimeSeconds(),
        old.schedulingStats(),
        old.nominatedClusterNames(),
        old.clusterName(),
        old.unhealthyNodes());
  }

  /** Whoever has to give way does, and is queued again. */
  boolean completeEvictions() {
    boolean any = false;
    for (ObjectKey key : givingWay) {
      Workload workload = snapshot().workload(key);
      if (workload != null && workload.status().admission() != null) {
        Workload released = with(workload, "QuotaReserved", false, true);
        tell(Change.upserted(ObjectKind.WORKLOAD, released));
        any = true;
      }
    }
    givingWay.clear();
    return any;
  }

  private Workload with(Workload workload, String type, boolean value, boolean released) {
    List<Condition> conditions = new ArrayList<>(workload.status().conditions());
    conditions.removeIf(c -> c.type().equals(type));
    conditions.add(
        new Condition(
            type, value ? ConditionStatus.TRUE : ConditionStatus.FALSE, null, now, "Test", ""));
    WorkloadStatus old = workload.status();
    boolean later = released && random.nextInt(4) == 0;
    RequeueState requeue =
        later ? new RequeueState(1, now.plusSeconds(random.nextInt(20))) : old.requeueState();
    return workload.with(
        status(old, conditions, released ? null : old.admission(), old.reclaimablePods(), requeue));
  }

  /** Cycles and evictions until nothing happens any more; answers the decisions on the way. */
  List<Decision> rest(int mostRounds) {
    List<Decision> decisions = new ArrayList<>();
    for (int round = 0; round < mostRounds; round++) {
      now = now.plus(Duration.ofSeconds(1));
      CycleResult result = cycle();
      result.outcomes().stream().map(Outcome::decision).forEach(decisions::add);
      boolean evicted = completeEvictions();
      if (!result.changed() && !evicted) {
        return decisions;
      }
    }
    throw new AssertionError("no rest after " + mostRounds + " rounds");
  }

  /** Every change that leads from nothing to the present state. */
  List<Change> everything() {
    List<Change> all = new ArrayList<>(objects.values());
    snapshot()
        .workloads()
        .forEach(
            state ->
                all.add(
                    Change.upserted(
                        ObjectKind.WORKLOAD, TestCluster.version(state.workload(), "2"))));
    return all;
  }

  /** What workloads were before: too late for anybody who knows what they are now. */
  List<Change> lateNews() {
    List<Change> late = new ArrayList<>();
    for (WorkloadState state : snapshot().workloads()) {
      Workload blank =
          read(Workload.class, "{'metadata':{'name':'x'},'spec':{'podSets':[]},'status':{}}");
      Workload before = state.workload().with(blank.status());
      late.add(Change.upserted(ObjectKind.WORKLOAD, TestCluster.version(before, "1")));
    }
    return late;
  }

  /** A new engine that is told the same. */
  QuotaEngine retold(List<Change> changes) {
    var other = new QuotaEngine(configuration);
    changes.forEach(change -> other.apply(change, now));
    return other;
  }

  Instant now() {
    return now;
  }

  void removeAllWorkloads() {
    for (ObjectKey key : workloads) {
      tell(new Change.Deleted(ObjectKind.WORKLOAD, key));
    }
    workloads.clear();
    givingWay.clear();
  }

  /** What each queue has and uses. */
  static Map<String, Object> standings(Snapshot snapshot) {
    Map<String, Object> standings = new LinkedHashMap<>();
    for (String queue : snapshot.clusterQueues()) {
      standings.put(queue, snapshot.standing(queue));
    }
    return standings;
  }

  /** All of a state that decisions depend on. */
  static String describe(Snapshot snapshot) {
    StringBuilder text = new StringBuilder();
    for (String queue : snapshot.clusterQueues()) {
      text.append(queue)
          .append(snapshot.inactivity(queue))
          .append(snapshot.standing(queue))
          .append(snapshot.holders(queue))
          .append(snapshot.pending(queue))
          .append(snapshot.inadmissible(queue))
          .append('\n');
    }
    return text.toString();
  }
}
