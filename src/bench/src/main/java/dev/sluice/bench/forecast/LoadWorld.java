package dev.sluice.bench.forecast;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.core.Namespace;
import dev.sluice.api.core.Node;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Duration;
import java.time.Instant;

/** The queues of a load, and its jobs as Workloads. */
final class LoadWorld {
  static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private int jobs;

  LoadWorld(LoadFamily family) {
    tell(ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'default'}}");
    boolean placed = family == LoadFamily.TOPOLOGY;
    if (placed) {
      tell(
          ObjectKind.TOPOLOGY,
          Topology.class,
          "{'metadata':{'name':'hall'},'spec':{'levels':[{'nodeLabel':'rack'},"
              + "{'nodeLabel':'kubernetes.io/hostname'}]}}");
      for (int node = 0; node < 16; node++) {
        tell(
            ObjectKind.NODE,
            Node.class,
            """
            {'metadata':{'name':'n%d','labels':{'rack':'r%d','kubernetes.io/hostname':'n%d'}},
            'status':{'allocatable':{'cpu':'16','memory':'64Gi','pods':'110'},
            'conditions':[{'type':'Ready','status':'True'}]}}\
            """
                .formatted(node, node / 4, node));
      }
    }
    tell(
        ObjectKind.RESOURCE_FLAVOR,
        ResourceFlavor.class,
        "{'metadata':{'name':'f'},'spec':{%s}}".formatted(placed ? "'topologyName':'hall'" : ""));
    boolean shared = family == LoadFamily.PREEMPTING;
    queue("q", placed ? 256 : 32, shared);
    if (shared) {
      queue("r", 32, true);
    }
  }

  private void queue(String name, int cores, boolean shared) {
    String cohort =
        "'cohortName':'c','preemption':{'reclaimWithinCohort':'Any','withinClusterQueue':"
            + "'LowerPriority'},";
    tell(
        ObjectKind.CLUSTER_QUEUE,
        ClusterQueue.class,
        """
        {'metadata':{'name':'%s'},'spec':{'namespaceSelector':{},%s'resourceGroups':[
        {'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[{'name':'cpu',
        'nominalQuota':'%d'}]}]}]}}\
        """
            .formatted(name, shared ? cohort : "", cores));
    tell(
        ObjectKind.LOCAL_QUEUE,
        LocalQueue.class,
        "{'metadata':{'name':'%s','namespace':'default'},'spec':{'clusterQueue':'%s'}}"
            .formatted(name, name));
  }

  private <T> void tell(ObjectKind<T> kind, Class<T> type, String json) {
    engine.apply(Change.upserted(kind, read(type, json)), START);
  }

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  /** The engine with its queues. The caller changes it from then on. */
  QuotaEngine engine() {
    return engine;
  }

  /** The seconds from the start until then. */
  double secondsOf(Instant time) {
    return Duration.between(START, time).toMillis() / 1000.0;
  }

  /**
   * A job.
   *
   * @param series of which it is one more
   * @param at seconds after the start
   * @param rack the level in one domain of which all pods have to be; empty for any place
   */
  Job job(
      String queue,
      String series,
      double at,
      int pods,
      int cores,
      int priority,
      double seconds,
      String rack) {
    String name = "%s-%s".formatted(series, suffix(jobs++));
    Instant arrives = START.plusMillis((long) (at * 1000));
    String topology = rack.isEmpty() ? "" : "'topologyRequest':{'required':'%s'},".formatted(rack);
    Workload workload =
        read(
            Workload.class,
            """
            {'metadata':{'name':'%s','namespace':'default','uid':'%s','creationTimestamp':'%s',
            'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'%s','uid':'o-%s',
            'controller':true}]},'spec':{'queueName':'%s','priority':%d,'podSets':[{'name':'main',
            'count':%d,%s'template':{'spec':{'containers':[{'name':'c','resources':{'requests':{
            'cpu':'%d'}}}]}}}]}}\
            """
                .formatted(
                    name, name, arrives, name, name, queue, priority, pods, topology, cores));
    return new Job(arrives, workload, seconds);
  }

  /** Five signs as an API server appends to a generated name. */
  private static String suffix(int number) {
    String signs = "bcdfghjklmnpqrstvwxz2456789";
    StringBuilder text = new StringBuilder();
    for (int i = 0, rest = number; i < 5; i++, rest /= signs.length()) {
      text.append(signs.charAt(rest % signs.length()));
    }
    return text.toString();
  }
}
