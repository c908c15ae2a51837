package dev.sluice.server.whatif;

import static dev.sluice.testkit.json.SingleQuoted.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.forecast.KnownRuns;
import dev.sluice.see.names.Names;
import dev.sluice.see.whatif.WhatIfResult;
import dev.sluice.server.world.SimulatedCluster;
import dev.sluice.server.world.SimulatedConfiguration;
import dev.sluice.webhook.StandardRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** A cluster in memory after a random load, and its objects as they are stored. */
final class RandomCluster implements StoredObjects {
  private static final String[] RECLAIM = {"Never", "LowerPriority", "LowerPriority"};
  private static final String[] WITHIN = {"Never", "LowerPriority"};
  private static final String[] STRATEGY = {"BestEffortFIFO", "BestEffortFIFO", "StrictFIFO"};
  private static final List<String> QUEUES = List.of("q0", "q1", "q2", "q3");
  private static final int LOAD = 40;

  private final Random random;
  private final SimulatedCluster cluster;
  private final Map<GroupKind, Map<ObjectKey, JsonNode>> stored = new HashMap<>();

  /** What precedes the quotas of each ClusterQueue and Cohort, as text. */
  private final Map<String, String> specs = new LinkedHashMap<>();

  private int workloads;

  RandomCluster(long seed) {
    random = new Random(seed);
    cluster = new SimulatedCluster(chosen(), Instant.parse("2026-01-01T12:00:00Z"));
    apply("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'a'}}");
    for (String flavor : List.of("fast", "slow")) {
      apply(ours("ResourceFlavor", flavor, "'spec':{}"));
    }
    apply(ours("Cohort", "all", "'spec':{}"));
    specs.put("part", "'parentName':'all',");
    apply(cohort());
    for (String queue : QUEUES) {
      specs.put(
          queue,
          """
          'namespaceSelector':{},'cohortName':'%s','queueingStrategy':'%s','preemption':{
          'withinClusterQueue':'%s','reclaimWithinCohort':'%s'},\
          """
              .formatted(one("all", "part", "part"), one(STRATEGY), one(WITHIN), one(RECLAIM)));
      apply(clusterQueue(queue));
      apply(
          ours(
              "LocalQueue",
              queue,
              "'spec':{'clusterQueue':'%s'}".formatted(queue),
              ",'namespace':'a'"));
    }
    for (int i = 0; i < LOAD; i++) {
      cluster.passTo(cluster.now().plusSeconds(1));
      apply(workload());
      if (random.nextInt(3) == 0) {
        settle();
      }
      if (random.nextInt(5) == 0) {
        cluster.finish(new ObjectKey("a", "w" + random.nextInt(workloads)));
      }
    }
    settle();
  }

  /** All kinds of jobs are on. */
  static SimulatedConfiguration chosen() {
    ObjectNode nothing = JsonNodeFactory.instance.objectNode();
    return SimulatedConfiguration.read(nothing, nothing);
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }

  private static String ours(String kind, String name, String members, String... metadata) {
    return "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s','metadata':{'name':'%s'%s},%s}"
        .formatted(kind, name, String.join("", metadata), members);
  }

  private String quotas(int most) {
    List<String> flavors = new ArrayList<>();
    for (String flavor : List.of("fast", "slow")) {
      int nominal = random.nextInt(most);
      String borrow = random.nextInt(4) == 0 ? limit("borrowingLimit", 5) : "";
      String lend = random.nextInt(4) == 0 ? limit("lendingLimit", nominal + 1) : "";
      flavors.add(
          "{'name':'%s','resources':[{'name':'cpu','nominalQuota':'%d'%s%s}]}"
              .formatted(flavor, nominal, borrow, lend));
    }
    return "'resourceGroups':[{'coveredResources':['cpu'],'flavors':[%s]}]"
        .formatted(String.join(",", flavors));
  }

  private String limit(String field, int below) {
    return ",'%s':'%d'".formatted(field, random.nextInt(below));
  }

  private String clusterQueue(String name) {
    return ours("ClusterQueue", name, "'spec':{%s%s}".formatted(specs.get(name), quotas(9)));
  }

  private String cohort() {
    return ours("Cohort", "part", "'spec':{%s%s}".formatted(specs.get("part"), quotas(5)));
  }

  private String workload() {
    return ours(
        "Workload",
        "w" + workloads++,
        """
        'spec':{'queueName':'%s','active':true,'priority':%d,'podSets':[{'name':'main','count':%d,
        'template':{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'%d'}}}]}}}]}\
        """
            .formatted(
                QUEUES.get(random.nextInt(QUEUES.size())),
                random.nextInt(4),
                1 + random.nextInt(3),
                1 + random.nextInt(3)),
        ",'namespace':'a'");
  }

  private void apply(String text) {
    apply(json(text));
  }

  /** Applies an object, as a user would. */
  void apply(JsonNode object) {
    cluster.apply(object);
    GroupKind kind = WhatIfRequest.kind(object).groupKind();
    if (!kind.equals(ApiKind.WORKLOAD.groupKind())) {
      stored.computeIfAbsent(kind, _ -> new TreeMap<>()).put(WhatIfRequest.key(object), object);
    }
  }

  /** Decides until nothing changes. */
  void settle() {
    cluster.settle(_ -> {});
  }

  /**
   * An edit of one quota, or of all of a ClusterQueue or the Cohort, or a queue that is drained.
   */
  ObjectNode edit() {
    String queue = QUEUES.get(random.nextInt(QUEUES.size()));
    int dice = random.nextInt(10);
    if (dice < 2) {
      return json(ours("ClusterQueue", queue, "'spec':{'stopPolicy':'HoldAndDrain'}"));
    }
    if (dice < 4) {
      return json(cohort());
    }
    if (dice < 6) {
      return json(clusterQueue(queue));
    }
    JsonNode whole =
        find(ApiKind.CLUSTER_QUEUE.groupKind(), new ObjectKey("", queue)).orElseThrow();
    ObjectNode edit = json(ours("ClusterQueue", queue, "'spec':{}"));
    JsonNode groups = whole.at("/spec/resourceGroups").deepCopy();
    ObjectNode quota =
        (ObjectNode) groups.at("/0/flavors/%d/resources/0".formatted(random.nextInt(2)));
    quota.put("nominalQuota", Integer.toString(random.nextInt(10))).remove("lendingLimit");
    ((ObjectNode) edit.path("spec")).set("resourceGroups", groups);
    return edit;
  }

  /** An engine that follows the objects as they are stored, in which nothing is left to decide. */
  QuotaEngine watching() {
    QuotaEngine engine = new QuotaEngine(EngineConfiguration.of(chosen().configuration()));
    stored.forEach((kind, objects) -> objects.values().forEach(it -> tell(engine, kind, it)));
    all(ApiKind.WORKLOAD.groupKind()).forEach(it -> tell(engine, ApiKind.WORKLOAD.groupKind(), it));
    while (engine.cycle(cluster.now()).changed()) {
      // until it is as far as the cluster
    }
    return engine;
  }

  private void tell(QuotaEngine engine, GroupKind kind, JsonNode object) {
    ObjectKind.of(kind).ifPresent(it -> engine.apply(change(it, object), cluster.now()));
  }

  private static <T> Change change(ObjectKind<T> kind, JsonNode object) {
    return Change.upserted(kind, HubObjects.read(kind.type(), object));
  }

  /** What a simulation says of an edit, which it does not carry out. */
  WhatIfResult simulated(ObjectNode edit) {
    return new WhatIf(
            watching(),
            this,
            chosen(),
            StandardRules.book(),
            cluster.now(),
            Names.ALL,
            KnownRuns::none,
            () -> true)
        .run(new WhatIfRequest(List.of(), List.of(edit.deepCopy()), Duration.ZERO));
  }

  SimulatedCluster cluster() {
    return cluster;
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, ObjectKey key) {
    return all(kind).stream().filter(it -> ObjectKey.of(it).equals(key)).findFirst();
  }

  @Override
  public Collection<JsonNode> all(GroupKind kind) {
    return kind.equals(ApiKind.WORKLOAD.groupKind())
        ? cluster.workloads().stream().map(RandomCluster::older).toList()
        : stored.getOrDefault(kind, Map.of()).values();
  }

  /** With the version of a real cluster, which is lower than those of one in memory. */
  private static JsonNode older(JsonNode workload) {
    ObjectNode older = workload.deepCopy();
    older.withObjectProperty("metadata").put("resourceVersion", "1");
    return older;
  }
}
