package dev.sluice.quota;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.core.LimitRange;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.audit.Audit;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An engine with terse ways to tell it of objects. Every ClusterQueue gets a LocalQueue of the same
 * name; everything happens in namespace {@code default}; each workload is a second younger than the
 * one before. The state is audited after every cycle.
 */
public final class TestCluster {
  public static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  private final QuotaEngine engine;
  private @Nullable QuotaEngine mirror;
  private Instant now = START;
  private int workloads;

  public TestCluster(EngineConfiguration configuration) {
    this(new QuotaEngine(configuration));
  }

  TestCluster(QuotaEngine engine) {
    this.engine = engine;
    namespace("default");
  }

  public static TestCluster classical() {
    return new TestCluster(EngineConfiguration.defaults());
  }

  public QuotaEngine engine() {
    return engine;
  }

  public Instant now() {
    return now;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }

  public void namespace(String name) {
    apply(
        Change.upserted(
            ObjectKind.NAMESPACE,
            read(Namespace.class, "{'metadata':{'name':'%s'}}".formatted(name))));
  }

  public void limitRange(String spec) {
    apply(
        Change.upserted(
            ObjectKind.LIMIT_RANGE,
            read(
                LimitRange.class,
                "{'metadata':{'name':'limits','namespace':'default'},'spec':%s}".formatted(spec))));
  }

  public void apply(Change change) {
    engine.apply(change, now);
    if (mirror != null) {
      mirror.apply(change, now);
    }
  }

  /** From here on the other engine receives all that this one does, and is compared. */
  public void mirror(QuotaEngine other) {
    mirror = other;
  }

  public void gone(ObjectKind<?> kind, String name) {
    apply(Change.Deleted.of(kind, name));
  }

  /** The object of that JSON, in which single quotes stand for double ones. */
  public static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  public TestCluster flavor(String name) {
    return flavor(name, "{}");
  }

  public TestCluster flavor(String name, String spec) {
    apply(
        Change.upserted(
            ObjectKind.RESOURCE_FLAVOR,
            read(
                ResourceFlavor.class,
                "{'metadata':{'name':'%s'},'spec':%s}".formatted(name, spec))));
    return this;
  }

  public TestCluster cohort(String name, String members) {
    apply(
        Change.upserted(
            ObjectKind.COHORT,
            read(Cohort.class, "{'metadata':{'name':'%s'},'spec':{%s}}".formatted(name, members))));
    return this;
  }

  /** A ClusterQueue with these members of its spec, and its LocalQueue. */
  public TestCluster queue(String name, String members) {
    apply(Change.upserted(ObjectKind.CLUSTER_QUEUE, clusterQueue(name, members)));
    localQueue(name, name);
    return this;
  }

  public static ClusterQueue clusterQueue(String name, String members) {
    return read(
        ClusterQueue.class,
        "{'metadata':{'name':'%s'},'spec':{'namespaceSelector':{}%s}}"
            .formatted(name, members.isEmpty() ? "" : "," + members));
  }

  public void localQueue(String name, String clusterQueue) {
    apply(
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            read(
                LocalQueue.class,
                "{'metadata':{'name':'%s','namespace':'default'},'spec':{'clusterQueue':'%s'}}"
                    .formatted(name, clusterQueue))));
  }

  /** One resource group of one resource: flavors as {@code name nominal [borrowing [lending]]}. */
  public static String quota(String resource, String... flavors) {
    List<String> parts = new ArrayList<>();
    for (String flavor : flavors) {
      String[] words = flavor.split(" ", -1);
      String limits =
          words.length > 2 && !words[2].equals("-") ? ",'borrowingLimit':'" + words[2] + "'" : "";
      limits += words.length > 3 ? ",'lendingLimit':'" + words[3] + "'" : "";
      parts.add(
          "{'name':'%s','resources':[{'name':'%s','nominalQuota':'%s'%s}]}"
              .formatted(words[0], resource, words[1], limits));
    }
    return "{'coveredResources':['%s'],'flavors':[%s]}"
        .formatted(resource, String.join(",", parts));
  }

  public static String groups(String... groups) {
    return "'resourceGroups':[" + String.join(",", groups) + "]";
  }

  /** Cpu of the flavor {@code default}: nominal, then optionally borrowing and lending limit. */
  public static String cpu(String quota) {
    return groups(quota("cpu", "default " + quota));
  }

  /** A workload to be told of. */
  public WorkloadBuilder workload(String name, String queue) {
    return new WorkloadBuilder(name, queue);
  }

  public Workload get(String workload) {
    Workload found = engine.snapshot(now).workload(key(workload));
    if (found == null) {
      throw new AssertionError("no workload " + workload);
    }
    return found;
  }

  /** The same as the API server would store it at that version. */
  public static Workload version(Workload workload, String version) {
    ObjectMeta old = workload.metadata();
    return workload.with(
        new ObjectMeta(
            old.name(),
            old.namespace(),
            old.generateName(),
            old.uid(),
            version,
            old.generation(),
            old.creationTimestamp(),
            old.deletionTimestamp(),
            old.labels(),
            old.annotations(),
            old.ownerReferences(),
            old.finalizers()));
  }

  public static ObjectKey key(String workload) {
    return new ObjectKey("default", workload);
  }

  public void delete(String workload) {
    apply(new Change.Deleted(ObjectKind.WORKLOAD, key(workload)));
  }

  /** Type, status and reason of each condition of the workload. */
  public Map<String, String> conditions(String workload) {
    Map<String, String> conditions = new LinkedHashMap<>();
    for (Condition condition : get(workload).status().conditions()) {
      conditions.put(condition.type(), condition.status().text() + " " + condition.reason());
    }
    return conditions;
  }

  public boolean reserved(String workload) {
    return conditions(workload).getOrDefault("QuotaReserved", "").startsWith("True");
  }

  /** The flavor assigned to the workload's first PodSet for cpu. */
  public String flavorOf(String workload) {
    var admission = get(workload).status().admission();
    return admission == null
        ? "none"
        : admission.podSetAssignments().getFirst().flavors().getOrDefault("cpu", "none");
  }

  public CycleResult cycle() {
    CycleResult result = engine.cycle(now);
    if (mirror != null && !mirror.cycle(now).equals(result)) {
      throw new AssertionError("the mirror decides otherwise than " + result);
    }
    List<String> broken = Audit.findings(engine.snapshot(now));
    if (!broken.isEmpty()) {
      throw new AssertionError(String.join("\n", broken));
    }
    return result;
  }

  /** Cycles until nothing changes; fails if that takes too long. */
  public void rest() {
    for (int i = 0; i < 1000; i++) {
      if (!cycle().changed()) {
        return;
      }
    }
    throw new AssertionError("no rest after 1000 cycles");
  }

  /** The victims of the workload in the result, as {@code name reason}, in order of name. */
  public static List<String> victims(CycleResult result, String workload) {
    for (Outcome outcome : result.outcomes()) {
      if (outcome.workload().name().equals(workload)) {
        return outcome.decision() instanceof Decision.Preempting(_, var targets)
            ? targets.stream()
                .map(t -> t.workload().name() + " " + t.why().text())
                .sorted()
                .toList()
            : List.of();
      }
    }
    throw new AssertionError(workload + " was not a head: " + result);
  }

  public List<String> pending(String queue) {
    return names(engine.snapshot(now).pending(queue));
  }

  public List<String> inadmissible(String queue) {
    return names(engine.snapshot(now).inadmissible(queue));
  }

  private static List<String> names(List<ObjectKey> keys) {
    return keys.stream().map(ObjectKey::name).collect(Collectors.toList());
  }

  /** A Workload in the making. */
  public final class WorkloadBuilder {
    private final String name;
    private final String queue;
    private int priority;
    private String podSets = "";
    private String status = "";
    private String metadata = "";
    private String spec = "";
    private Instant created = START.minusSeconds(3600).plusSeconds(workloads++);

    private WorkloadBuilder(String name, String queue) {
      this.name = name;
      this.queue = queue;
    }

    public WorkloadBuilder priority(int value) {
      priority = value;
      return this;
    }

    public WorkloadBuilder created(Instant time) {
      created = time;
      return this;
    }

    public WorkloadBuilder annotated(String key, String value) {
      metadata = ",'annotations':{'%s':'%s'}".formatted(key, value);
      return this;
    }

    public WorkloadBuilder labelled(String key, String value) {
      metadata = ",'labels':{'%s':'%s'}".formatted(key, value);
      return this;
    }

    /** Further members of its metadata. */
    public WorkloadBuilder metadata(String members) {
      metadata = "," + members;
      return this;
    }

    public WorkloadBuilder spec(String members) {
      spec = "," + members;
      return this;
    }

    /** One PodSet of one pod that asks for this much cpu. */
    public WorkloadBuilder cpu(String amount) {
      return pods(1, "{'cpu':'%s'}".formatted(amount));
    }

    public WorkloadBuilder pods(int count, String requests) {
      return podSet("main", count, "", requests, "");
    }

    public WorkloadBuilder podSet(
        String podSet, int count, String members, String requests, String pod) {
      podSets +=
          (podSets.isEmpty() ? "" : ",")
              + "{'name':'%s','count':%d%s,'template':{'spec':{'containers':[{'name':'c','resources':{'requests':%s}}]%s}}}"
                  .formatted(podSet, count, members, requests, pod);
      return this;
    }

    public WorkloadBuilder status(String members) {
      status = members;
      return this;
    }

    /** It holds this much cpu of the flavor of its queue's ClusterQueue since that many seconds. */
    public WorkloadBuilder holding(String flavor, String amount, int sinceSeconds) {
      return status(
          """
          'admission':{'clusterQueue':'%s','podSetAssignments':[{'name':'main','count':1,
          'flavors':{'cpu':'%s'},'resourceUsage':{'cpu':'%s'}}]},
          'conditions':[{'type':'QuotaReserved','status':'True','reason':'QuotaReserved',
          'message':'','lastTransitionTime':'%s'}]\
          """
              .formatted(queue, flavor, amount, START.minusSeconds(sinceSeconds)));
    }

    public Workload build() {
      return read(
          Workload.class,
          """
          {'metadata':{'name':'%s','namespace':'default','uid':'uid-%s','creationTimestamp':'%s'%s},
          'spec':{'queueName':'%s','priority':%d,'podSets':[%s]%s},'status':{%s}}\
          """
              .formatted(name, name, created, metadata, queue, priority, podSets, spec, status));
    }

    public TestCluster put() {
      apply(Change.upserted(ObjectKind.WORKLOAD, build()));
      return TestCluster.this;
    }
  }

  /** It holds this much cpu of the flavor {@code default}, one second longer than the next one. */
  public TestCluster running(String name, String queue, int priority, String cpu) {
    workload(name, queue)
        .priority(priority)
        .cpu(cpu)
        .holding("default", cpu, 10_000 - workloads)
        .put();
    return this;
  }

  /** It waits for this much cpu. */
  public TestCluster waiting(String name, String queue, int priority, String cpu) {
    workload(name, queue).priority(priority).cpu(cpu).put();
    return this;
  }
}
