package dev.sluice.bench.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.Node;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Outcome;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** An engine with one block of racks, and one queue whose workloads have two pods of 32 cores. */
final class PlacedCluster {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final QuotaEngine engine;
  private final Deque<ObjectKey> running = new ArrayDeque<>();
  private final Workload pattern;
  private int names;

  /**
   * The cluster, half full.
   *
   * @param racks with how many nodes in each
   * @param manner how near each other pods have to be: required, preferred, or balanced by rack, or
   *     unconstrained
   */
  PlacedCluster(int racks, int nodes, String manner) {
    boolean balanced = manner.equals("balanced");
    this.engine =
        new QuotaEngine(
            EngineConfiguration.defaults()
                .withGates(
                    FeatureGates.DEFAULT.with(FeatureGate.TAS_BALANCED_PLACEMENT, balanced)));
    this.pattern =
        pattern(
            manner.equals("unconstrained")
                ? "'unconstrained':true"
                : "'" + (balanced ? "preferred" : manner) + "':'rack'");
    tell(
        Change.upserted(
            ObjectKind.NAMESPACE, read(Namespace.class, "{'metadata':{'name':'default'}}")));
    tell(
        Change.upserted(
            ObjectKind.TOPOLOGY,
            read(
                Topology.class,
                "{'metadata':{'name':'hall'},'spec':{'levels':[{'nodeLabel':'block'},"
                    + "{'nodeLabel':'rack'},{'nodeLabel':'kubernetes.io/hostname'}]}}")));
    tell(
        Change.upserted(
            ObjectKind.RESOURCE_FLAVOR,
            read(
                ResourceFlavor.class,
                "{'metadata':{'name':'nodes'},'spec':{'topologyName':'hall'}}")));
    tell(
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            read(
                ClusterQueue.class,
                "{'metadata':{'name':'q'},'spec':{'namespaceSelector':{},'resourceGroups':"
                    + "[{'coveredResources':['cpu'],'flavors':[{'name':'nodes','resources':"
                    + "[{'name':'cpu','nominalQuota':'100M'}]}]}]}}")));
    tell(
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            read(
                LocalQueue.class,
                "{'metadata':{'name':'q','namespace':'default'},'spec':{'clusterQueue':'q'}}")));
    for (int rack = 0; rack < racks; rack++) {
      for (int node = 0; node < nodes; node++) {
        tell(node("r" + rack, "r" + rack + "-n" + node));
      }
    }
    // three pods fit on a node, and each workload has two
    for (int i = 0; i < racks * nodes * 3 / 4; i++) {
      place();
    }
  }

  /** The cluster of so many racks and nodes, such as {@code 10 x 64}. */
  static PlacedCluster parse(String forest, String manner) {
    String[] sizes = forest.split(" x ", -1);
    return new PlacedCluster(Integer.parseInt(sizes[0]), Integer.parseInt(sizes[1]), manner);
  }

  /** How many workloads run. */
  int running() {
    return running.size();
  }

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  private void tell(Change change) {
    engine.apply(change, NOW);
  }

  private static Change node(String rack, String name) {
    return Change.upserted(
        ObjectKind.NODE,
        read(
            Node.class,
            """
            {'metadata':{'name':'%s','labels':{'block':'b','rack':'%s',
            'kubernetes.io/hostname':'%s'}},'status':{'allocatable':{'cpu':'96','memory':'512Gi',
            'pods':'110'},'conditions':[{'type':'Ready','status':'True'}]}}\
            """
                .formatted(name, rack, name)));
  }

  /** The oldest one ends, a new one is placed; where that is now. */
  Outcome.Place oneForAnother() {
    tell(new Change.Deleted(ObjectKind.WORKLOAD, running.removeFirst()));
    return place();
  }

  private Outcome.Place place() {
    String name = "w" + names++;
    running.add(new ObjectKey("default", name));
    ObjectMeta meta =
        new ObjectMeta(
            name,
            "default",
            null,
            name,
            null,
            null,
            pattern.metadata().creationTimestamp(),
            null,
            Map.of(),
            Map.of(),
            List.of(),
            List.of());
    tell(
        Change.upserted(ObjectKind.WORKLOAD, new Workload(meta, pattern.spec(), pattern.status())));
    return engine.cycle(NOW).outcomes().getFirst().place();
  }

  /** A workload that was read before anything is measured. */
  private static Workload pattern(String request) {
    return read(
        Workload.class,
        """
        {'metadata':{'name':'w','namespace':'default','creationTimestamp':
        '2026-01-01T11:00:00Z'},'spec':{'queueName':'q','podSets':[{'name':'main','count':2,
        'topologyRequest':{%s},'template':{'spec':{'containers':[{'name':'c','resources':{
        'requests':{'cpu':'32'}}}]}}}]}}\
        """
            .formatted(request));
  }
}
