package dev.sluice.see.explain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.quota.world.WorkloadState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Queues in cohorts that the seed decides, after a random load. Evicted Workloads release their
 * quota sooner or later.
 */
final class RandomQueues {
  private static final int CYCLES = 400;
  private static final int LOAD = 60;
  private static final int QUEUES = 4;
  private static final String[] RECLAIM = {"Never", "LowerPriority", "LowerPriority"};
  private static final String[] WITHIN = {"Never", "LowerPriority", "LowerPriority"};
  private static final String[] STRATEGY = {"BestEffortFIFO", "BestEffortFIFO", "StrictFIFO"};
  private static final String[] SEARCH = {"MayStopSearch", "TryNextFlavor"};
  private static final String[] FLAVORS = {"fast", "slow"};

  private final Random random;
  private final EngineConfiguration configuration;
  private final QuotaEngine engine;
  private final Map<String, Change> objects = new LinkedHashMap<>();
  private final Map<String, QueueText> queues = new LinkedHashMap<>();
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private final boolean rests;
  private int created;

  /** A ClusterQueue as text, in which quotas can be replaced. */
  record QueueText(String json) {
    /** The same with another quota; field is {@code nominalQuota} or {@code borrowingLimit}. */
    QueueText with(String flavor, String resource, String field, String from, String to) {
      int at = json.indexOf("'name':'%s','resources'".formatted(flavor));
      at = json.indexOf("'name':'%s','nominalQuota'".formatted(resource), at);
      String old = "'%s':'%s'".formatted(field, from);
      int begin = json.indexOf(old, at);
      if (at < 0 || begin < 0 || json.substring(at, begin).contains("}")) {
        throw new AssertionError(json + " has no " + old + " of " + flavor + " " + resource);
      }
      return new QueueText(
          json.substring(0, begin)
              + "'%s':'%s'".formatted(field, to)
              + json.substring(begin + old.length()));
    }

    QueueText opened() {
      return new QueueText(json.replace("'stopPolicy':'Hold'", "'stopPolicy':'None'"));
    }

    Change change() {
      return Change.upserted(ObjectKind.CLUSTER_QUEUE, read(ClusterQueue.class, json));
    }
  }

  RandomQueues(long seed) {
    random = new Random(seed);
    EngineConfiguration defaults = EngineConfiguration.defaults();
    configuration = seed % 3 == 0 ? defaults.withFairSharing(FairSharing.BOTH) : defaults;
    engine = new QuotaEngine(configuration);
    for (String namespace : List.of("a", "b")) {
      put(ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'%s'}}".formatted(namespace));
    }
    for (String flavor : FLAVORS) {
      put(
          ObjectKind.RESOURCE_FLAVOR,
          ResourceFlavor.class,
          "{'metadata':{'name':'%s'}}".formatted(flavor));
    }
    put(ObjectKind.COHORT, Cohort.class, "{'metadata':{'name':'all'},'spec':{}}");
    put(
        ObjectKind.COHORT,
        Cohort.class,
        "{'metadata':{'name':'part'},'spec':{'parentName':'all','resourceGroups':[%s]}}"
            .formatted(quotas(6)));
    for (int i = 0; i < QUEUES; i++) {
      queue("q" + i);
    }
    for (int i = 0; i < LOAD; i++) {
      load();
    }
    rests = rest(engine, Pods.END_LATE);
  }

  /** Whether nothing is left to decide, which may never be so. */
  boolean rests() {
    return rests;
  }

  static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  private <T> void put(ObjectKind<T> kind, Class<T> type, String json) {
    put(json, Change.upserted(kind, read(type, json)));
  }

  private void put(String name, Change change) {
    objects.put(name, change);
    engine.apply(change, now);
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }

  private void queue(String name) {
    var text =
        new QueueText(
            """
            {'metadata':{'name':'%s'},'spec':{'namespaceSelector':{},%s'queueingStrategy':'%s',
            'stopPolicy':'%s','fairSharing':{'weight':'%s'},
            'flavorFungibility':{'whenCanBorrow':'%s','whenCanPreempt':'%s'},
            'preemption':{'withinClusterQueue':'%s','reclaimWithinCohort':'%s'},
            'resourceGroups':[%s]}}\
            """
                .formatted(
                    name,
                    one("", "'cohortName':'all',", "'cohortName':'part',", "'cohortName':'part',"),
                    one(STRATEGY),
                    random.nextInt(10) == 0 ? "Hold" : "None",
                    one("1", "2", "500m"),
                    one(SEARCH),
                    one(SEARCH),
                    one(WITHIN),
                    one(RECLAIM),
                    quotas(10)));
    queues.put(name, text);
    put(name, text.change());
    for (String namespace : List.of("a", "b")) {
      String stop = random.nextInt(12) == 0 ? "Hold" : "None";
      put(
          namespace + "/" + name,
          Change.upserted(ObjectKind.LOCAL_QUEUE, localQueue(namespace, name, stop)));
    }
  }

  static LocalQueue localQueue(String namespace, String queue, String stop) {
    return read(
        LocalQueue.class,
        "{'metadata':{'name':'%s','namespace':'%s'},'spec':{'clusterQueue':'%1$s','stopPolicy':'%s'}}"
            .formatted(queue, namespace, stop));
  }

  private String quotas(int most) {
    List<String> flavors = new ArrayList<>();
    for (String flavor : FLAVORS) {
      flavors.add(
          "{'name':'%s','resources':[%s,%s]}"
              .formatted(flavor, quota("cpu", most), quota("gpu", most / 2)));
    }
    return "{'coveredResources':['cpu','gpu'],'flavors':[%s]}".formatted(String.join(",", flavors));
  }

  private String quota(String resource, int most) {
    String limit =
        random.nextInt(3) == 0 ? ",'borrowingLimit':'%d'".formatted(random.nextInt(6)) : "";
    String half = random.nextInt(4) == 0 ? "500m" : Integer.toString(random.nextInt(most));
    String amount = resource.equals("cpu") ? half : Integer.toString(random.nextInt(most));
    return "{'name':'%s','nominalQuota':'%s'%s}".formatted(resource, amount, limit);
  }

  private void load() {
    now = now.plusSeconds(1);
    int dice = random.nextInt(10);
    if (dice < 6) {
      arrive();
    } else if (dice < 7) {
      List<ObjectKey> there = new ArrayList<>();
      snapshot(engine).workloads().forEach(it -> there.add(it.key()));
      if (!there.isEmpty()) {
        delete(engine, there.get(random.nextInt(there.size())));
      }
    } else if (dice < 9) {
      cycle(engine);
    } else {
      release(engine);
    }
  }

  private void arrive() {
    String gpu = random.nextInt(3) == 0 ? ",'gpu':'1'" : "";
    Workload workload =
        read(
            Workload.class,
            """
            {'metadata':{'name':'w%d','namespace':'%s','uid':'u%1$d','resourceVersion':'1',
            'creationTimestamp':'%s'},'spec':{'queueName':'q%d','priority':%d,'active':%s,'podSets':[
            {'name':'main','count':%d,'template':{'spec':{'containers':[{'name':'c',
            'resources':{'requests':{'cpu':'%s'%s}}}]}}}]}}\
            """
                .formatted(
                    created++,
                    one("a", "b"),
                    now,
                    random.nextInt(QUEUES),
                    random.nextInt(4),
                    random.nextInt(15) > 0,
                    1 + random.nextInt(4),
                    one("1", "2", "1500m"),
                    gpu));
    engine.apply(Change.upserted(ObjectKind.WORKLOAD, workload), now);
  }

  Instant now() {
    return now;
  }

  QuotaEngine engine() {
    return engine;
  }

  QueueText queueText(String name) {
    return requireNonNull(queues.get(name), name);
  }

  Snapshot snapshot(QuotaEngine of) {
    return of.snapshot(now);
  }

  void delete(QuotaEngine in, ObjectKey workload) {
    in.apply(new Change.Deleted(ObjectKind.WORKLOAD, workload), now);
  }

  /** An engine that knows the objects as they are stored, and has decided nothing. */
  QuotaEngine watching() {
    QuotaEngine other = new QuotaEngine(configuration);
    objects.values().forEach(it -> other.apply(it, now));
    snapshot(engine)
        .workloads()
        .forEach(it -> other.apply(Change.upserted(ObjectKind.WORKLOAD, it.workload()), now));
    return other;
  }

  private boolean cycle(QuotaEngine of) {
    CycleResult result = of.cycle(now);
    for (Outcome outcome : result.outcomes()) {
      Stream.concat(outcome.others().stream(), Stream.of(outcome.change()))
          .filter(StatusChange::isReal)
          .map(StatusChange::after)
          .forEach(it -> of.apply(new Change.StatusStored(it.key(), it.uid()), now));
    }
    return result.changed();
  }

  /** An evicted Workload releases its quota, and waits again. */
  private boolean release(QuotaEngine of) {
    boolean any = false;
    for (WorkloadState state : snapshot(of).workloads()) {
      if (state.evicted() && state.holdsQuota()) {
        Workload workload = state.workload();
        Workload released =
            workload
                .with(workload.metadata().toBuilder().resourceVersion(null).build())
                .with(
                    new StatusEditor(workload, StatusDetail.COARSE, now)
                        .giveBack("Pending", "it was evicted")
                        .requeue(true, "Preempted", "it was evicted")
                        .build());
        of.apply(Change.upserted(ObjectKind.WORKLOAD, released), now);
        any = true;
      }
    }
    return any;
  }

  /** When pods of evicted Workloads end. */
  enum Pods {
    END_AT_ONCE,
    END_LATE,
    END_SOMETIME
  }

  /** Decides until nothing changes; false if that does not end. */
  boolean rest(QuotaEngine of, Pods pods) {
    for (int i = 0; i < CYCLES; i++) {
      boolean changed = cycle(of);
      boolean due =
          switch (pods) {
            case END_AT_ONCE -> true;
            case END_LATE -> !changed;
            case END_SOMETIME -> !changed || random.nextInt(3) == 0;
          };
      if (!(due && release(of)) && !changed) {
        return true;
      }
    }
    return false;
  }
}
