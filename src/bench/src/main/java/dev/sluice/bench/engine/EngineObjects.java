package dev.sluice.bench.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a benchmark's cluster. All is in namespace {@code default}, and a ClusterQueue has
 * one LocalQueue of its name. Workloads of one template share all but their names and times, as
 * those of one CronJob do.
 */
final class EngineObjects {
  private static final String PREEMPTION =
      "'preemption':{'withinClusterQueue':'LowerPriority','reclaimWithinCohort':'Any'}";

  private EngineObjects() {}

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  static Change namespace() {
    return Change.upserted(
        ObjectKind.NAMESPACE, read(Namespace.class, "{'metadata':{'name':'default'}}"));
  }

  static Change.Upserted<ResourceFlavor> flavor(String name) {
    return Change.upserted(
        ObjectKind.RESOURCE_FLAVOR,
        read(ResourceFlavor.class, "{'metadata':{'name':'%s'},'spec':{}}".formatted(name)));
  }

  static Change cohort(String name, @Nullable String parent) {
    String up = parent == null ? "" : "'parentName':'" + parent + "'";
    return Change.upserted(
        ObjectKind.COHORT,
        read(Cohort.class, "{'metadata':{'name':'%s'},'spec':{%s}}".formatted(name, up)));
  }

  /** A ClusterQueue that owns that much cpu of each flavor, in their order. */
  static Change.Upserted<ClusterQueue> clusterQueue(
      String name,
      String cohort,
      List<String> flavors,
      int nominal,
      int borrowingLimit,
      boolean preempts) {
    return clusterQueue(name, cohort, flavors, nominal, borrowingLimit, preempts, "");
  }

  /**
   * The same with that much memory of the flavor {@code spare}, too, which no workload requests.
   */
  static Change clusterQueueWithMemory(
      String name,
      String cohort,
      List<String> flavors,
      int nominal,
      int borrowingLimit,
      int memory) {
    String group =
        """
        ,{'coveredResources':['memory'],'flavors':[{'name':'spare','resources':[
        {'name':'memory','nominalQuota':'%d'}]}]}\
        """
            .formatted(memory);
    return clusterQueue(name, cohort, flavors, nominal, borrowingLimit, false, group);
  }

  private static Change.Upserted<ClusterQueue> clusterQueue(
      String name,
      String cohort,
      List<String> flavors,
      int nominal,
      int borrowingLimit,
      boolean preempts,
      String otherGroups) {
    List<String> quotas = new ArrayList<>();
    for (String flavor : flavors) {
      quotas.add(
          "{'name':'%s','resources':[{'name':'cpu','nominalQuota':'%d','borrowingLimit':'%d'}]}"
              .formatted(flavor, nominal, borrowingLimit));
    }
    return Change.upserted(
        ObjectKind.CLUSTER_QUEUE,
        read(
            ClusterQueue.class,
            """
            {'metadata':{'name':'%s'},'spec':{'namespaceSelector':{},'cohortName':'%s',%s
            'resourceGroups':[{'coveredResources':['cpu'],'flavors':[%s]}%s]}}\
            """
                .formatted(
                    name,
                    cohort,
                    preempts ? PREEMPTION + "," : "",
                    String.join(",", quotas),
                    otherGroups)));
  }

  static Change localQueue(String clusterQueue) {
    return Change.upserted(
        ObjectKind.LOCAL_QUEUE,
        read(
            LocalQueue.class,
            "{'metadata':{'name':'%s','namespace':'default'},'spec':{'clusterQueue':'%s'}}"
                .formatted(clusterQueue, clusterQueue)));
  }

  /** A workload of one pod with that much cpu, to make others from. */
  static Workload template(int cpu, int priority) {
    return read(
        Workload.class,
        """
        {'metadata':{'name':'template','namespace':'default'},'spec':{'queueName':'none',
        'priority':%d,'podSets':[{'name':'main','count':1,'template':{'spec':{'containers':[
        {'name':'c','resources':{'requests':{'cpu':'%d'}}}]}}}]}}\
        """
            .formatted(priority, cpu));
  }

  /** A workload like the template that waits in that queue. */
  static Workload workload(Workload template, String name, String queue, Instant created) {
    WorkloadSpec spec = template.spec();
    return new Workload(
        new ObjectMeta(
            name, "default", null, name, null, null, created, null, Map.of(), Map.of(), List.of(),
            List.of()),
        new WorkloadSpec(
            spec.podSets(), queue, null, spec.priority(), true, null, spec.preemptionGates()),
        template.status());
  }

  /** A workload like the template that holds a flavor of that queue since then. */
  static Workload holding(
      Workload template, String name, String queue, String flavor, Instant since) {
    Workload status =
        read(
            Workload.class,
            """
            {'status':{'admission':{'clusterQueue':'%s','podSetAssignments':[{'name':'main',
            'count':1,'flavors':{'cpu':'%s'},'resourceUsage':{'cpu':'%s'}}]},
            'conditions':[{'type':'QuotaReserved','status':'True','reason':'QuotaReserved',
            'message':'','lastTransitionTime':'%s'},{'type':'Admitted','status':'True',
            'reason':'Admitted','message':'','lastTransitionTime':'%s'}]}}\
            """
                .formatted(
                    queue,
                    flavor,
                    template
                        .spec()
                        .podSets()
                        .getFirst()
                        .template()
                        .spec()
                        .containers()
                        .getFirst()
                        .resources()
                        .requests()
                        .get("cpu"),
                    since,
                    since));
    Workload waiting = workload(template, name, queue, since);
    return new Workload(waiting.metadata(), waiting.spec(), status.status());
  }

  /** The workload after its pods are gone: it gave its quota back and may be queued again. */
  static Workload gaveWay(Workload evicted, Instant now) {
    WorkloadStatus old = evicted.status();
    List<Condition> conditions = new ArrayList<>();
    for (Condition condition : old.conditions()) {
      boolean over =
          condition.type().equals("QuotaReserved") || condition.type().equals("Admitted");
      conditions.add(
          over
              ? new Condition(
                  condition.type(), ConditionStatus.FALSE, null, now, "PendingEvaluation", "")
              : condition);
    }
    return new Workload(
        evicted.metadata(),
        evicted.spec(),
        new WorkloadStatus(
            conditions,
            null,
            old.admissionChecks(),
            old.requeueState(),
            old.reclaimablePods(),
            old.resourceRequests(),
            old.preemptionGates(),
            old.accumulatedPastExecutionTimeSeconds(),
            old.schedulingStats(),
            old.nominatedClusterNames(),
            old.clusterName(),
            old.unhealthyNodes()));
  }
}
