package dev.sluice.quota.topology;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.core.Node;
import dev.sluice.api.core.Pod;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A cluster with topology {@code dc} of blocks, racks and hosts, flavor {@code tas} with its nodes,
 * and queue {@code main} with more quota than anybody needs.
 */
public final class TopologyCluster {
  private static final String DEFAULT_LEVELS = "block rack kubernetes.io/hostname";

  private final TestCluster cluster;

  TopologyCluster(EngineConfiguration configuration) {
    cluster = new TestCluster(configuration);
    topology(DEFAULT_LEVELS);
    cluster.flavor("tas", "{'topologyName':'dc'}");
    queue("main", "tas");
  }

  public static TopologyCluster mixed() {
    return new TopologyCluster(EngineConfiguration.defaults());
  }

  public static TopologyCluster with(FeatureGate gate, boolean on) {
    return new TopologyCluster(
        EngineConfiguration.defaults().withGates(FeatureGates.DEFAULT.with(gate, on)));
  }

  public TestCluster cluster() {
    return cluster;
  }

  /** The topology has these levels from now on, separated by spaces. */
  public TopologyCluster topology(String levels) {
    String list =
        levels.isEmpty() ? "" : "{'nodeLabel':'" + levels.replace(" ", "'},{'nodeLabel':'") + "'}";
    cluster.apply(
        Change.upserted(
            ObjectKind.TOPOLOGY,
            TestCluster.read(
                Topology.class,
                "{'metadata':{'name':'dc'},'spec':{'levels':[%s]}}".formatted(list))));
    return this;
  }

  public TopologyCluster queue(String name, String flavor) {
    cluster.queue(name, TestCluster.groups(TestCluster.quota("cpu", flavor + " 1000000")));
    return this;
  }

  /** A ready node of that host and rack, in block {@code b}, with as many cores. */
  public TopologyCluster node(String rack, String host, int cpu) {
    return node("b", rack, host, cpu, "", "");
  }

  /**
   * A ready node.
   *
   * @param labels further labels, with a comma before each
   * @param spec members of its spec
   */
  public TopologyCluster node(
      String block, String rack, String host, int cpu, String labels, String spec) {
    return put(block, rack, host, cpu, labels, spec, true);
  }

  public TopologyCluster put(
      String block, String rack, String host, int cpu, String labels, String spec, boolean ready) {
    cluster.apply(
        Change.upserted(
            ObjectKind.NODE,
            TestCluster.read(
                Node.class,
                """
                {'metadata':{'name':'%s','labels':{'block':'%s','rack':'%s',
                'kubernetes.io/hostname':'%s'%s}},'spec':{%s},
                'status':{'allocatable':{'cpu':'%d','pods':'110'},
                'conditions':[{'type':'Ready','status':'%s'}]}}\
                """
                    .formatted(
                        host, block, rack, host, labels, spec, cpu, ready ? "True" : "False"))));
    return this;
  }

  public TopologyCluster notReady(String rack, String host, int cpu) {
    return put("b", rack, host, cpu, "", "", false);
  }

  public void noNode(String host) {
    cluster.gone(ObjectKind.NODE, host);
  }

  /** A pod on the node that takes that much cpu. */
  public TopologyCluster pod(String name, String host, int cpu, String metadata, String phase) {
    cluster.apply(
        Change.upserted(
            ObjectKind.POD,
            TestCluster.read(
                Pod.class,
                """
                {'metadata':{'name':'%s','namespace':'other'%s},'spec':{'nodeName':'%s',
                'containers':[{'name':'c','resources':{'requests':{'cpu':'%d'}}}]},
                'status':{'phase':'%s'}}\
                """
                    .formatted(name, metadata, host, cpu, phase))));
    return this;
  }

  /** A pod of one core of a placed workload, bound to that host, where it is in that phase. */
  public TopologyCluster ours(String name, String workload, String host, String phase) {
    cluster.apply(
        Change.upserted(
            ObjectKind.POD,
            TestCluster.read(
                Pod.class,
                """
                {'metadata':{'name':'%s','namespace':'default','annotations':{
                'kueue.x-k8s.io/workload':'%s','kueue.x-k8s.io/podset-required-topology':'rack'}},
                'spec':{'nodeName':'%s','nodeSelector':{'kubernetes.io/hostname':'%3$s'},
                'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]},
                'status':{'phase':'%4$s'}}\
                """
                    .formatted(name, workload, host, phase))));
    return this;
  }

  /** So many pods of one core each, placed as the members of the topology request say. */
  public TopologyCluster workload(String name, int pods, String request) {
    return workload(name, "main", pods, request, "");
  }

  public TopologyCluster workload(
      String name, String queue, int pods, String request, String podSpec) {
    cluster
        .workload(name, queue)
        .podSet("main", pods, ",'topologyRequest':{%s}".formatted(request), "{'cpu':'1'}", podSpec)
        .put();
    return this;
  }

  /** A cycle, and where it placed the pods of the workload: {@code main host=pods host=pods}. */
  public String placed(String workload) {
    cluster.cycle();
    return where(workload);
  }

  /** Where the workload's pods are, or {@code nowhere}. */
  public String where(String workload) {
    Admission admission = cluster.get(workload).status().admission();
    return admission == null
        ? "nowhere"
        : admission.podSetAssignments().stream()
            .map(TopologyCluster::where)
            .collect(Collectors.joining("; "));
  }

  private static String where(PodSetAssignment assignment) {
    var topology = assignment.topologyAssignment();
    return topology == null
        ? "anywhere"
        : AssignmentCodec.decode(topology).domains().stream()
            .map(d -> String.join("/", d.values()) + "=" + d.pods())
            .collect(Collectors.joining(" "));
  }

  /** What the cycle decided about the workload. */
  public Decision decision(String workload) {
    return cluster.cycle().outcomes().stream()
        .filter(o -> o.workload().equals(new ObjectKey("default", workload)))
        .map(Outcome::decision)
        .findFirst()
        .orElseThrow();
  }

  /** The message of the workload's condition QuotaReserved. */
  public String message(String workload) {
    return cluster.get(workload).status().conditions().stream()
        .filter(c -> c.type().equals("QuotaReserved"))
        .map(c -> c.message())
        .findFirst()
        .orElse("");
  }

  public String reason(String workload) {
    return cluster.conditions(workload).getOrDefault("QuotaReserved", "none");
  }

  /** The queue gets a check that makes nodes for that flavor. */
  public void provisioning(String queue, String flavor) {
    cluster.apply(
        Change.upserted(
            ObjectKind.ADMISSION_CHECK,
            TestCluster.read(
                AdmissionCheck.class,
                """
                {'metadata':{'name':'prov'},
                'spec':{'controllerName':'kueue.x-k8s.io/provisioning-request'},
                'status':{'conditions':[{'type':'Active','status':'True','reason':'r',
                'message':'','lastTransitionTime':'2026-01-01T11:00:00Z'}]}}\
                """)));
    cluster.queue(
        queue,
        TestCluster.groups(TestCluster.quota("cpu", flavor + " 1000000"))
            + ",'admissionChecksStrategy':{'admissionChecks':[{'name':'prov'}]}");
  }

  /** The queue has a flavor without topology, too. */
  public void withPlainFlavor() {
    cluster.flavor("plain");
    cluster.queue(
        "main", TestCluster.groups(TestCluster.quota("cpu", "tas 1000000", "plain 1000000")));
  }

  /** The workload's checks are ready. */
  public void checksReady(String name) {
    Workload old = cluster.get(name);
    WorkloadStatus status = old.status();
    List<AdmissionCheckState> ready =
        List.of(
            new AdmissionCheckState(
                "prov", CheckState.READY, cluster.now(), "", null, null, List.of()));
    cluster.apply(
        Change.upserted(
            ObjectKind.WORKLOAD,
            new Workload(
                old.metadata(),
                old.spec(),
                new WorkloadStatus(
                    status.conditions(),
                    status.admission(),
                    ready,
                    status.requeueState(),
                    status.reclaimablePods(),
                    status.resourceRequests(),
                    status.preemptionGates(),
                    status.accumulatedPastExecutionTimeSeconds(),
                    status.schedulingStats(),
                    status.nominatedClusterNames(),
                    status.clusterName(),
                    status.unhealthyNodes()))));
  }
}
