package dev.sluice.cli.explain;

/**
 * Two queues of a cohort with 10 cpu: mine has 4 and may borrow 2, of which first holds 3; theirs
 * has 6, of which other holds 5. So 2 are free, and mine may have 3 more.
 */
final class LabQueues {
  static final String QUEUES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: small}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: mine}
      spec:
        cohortName: lab
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: small, resources: [{name: cpu, nominalQuota: 4, borrowingLimit: 2}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: theirs}
      spec:
        cohortName: lab
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: small, resources: [{name: cpu, nominalQuota: 6}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: default, namespace: team}
      spec: {clusterQueue: mine}
      """;

  static final String HOLDERS =
      """
      ---
      %s
      status: {%s, conditions: [{type: QuotaReserved, status: "True"}]}
      ---
      %s
      status: {%s, conditions: [{type: QuotaReserved, status: "True"}]}
      """
          .formatted(
              workload("first", 3, 0), admission("mine", 3),
              workload("other", 5, 10), admission("theirs", 5));

  private LabQueues() {}

  /** A Workload of so many pods of 1 cpu each, which a Job called train owns. */
  static String workload(String name, int pods, int priority) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: Workload
    metadata: {name: %s, namespace: team, ownerReferences: [
      {apiVersion: batch/v1, kind: Job, name: job-of-%s, uid: u-%s}]}
    spec: {queueName: default, priority: %d, podSets: [{name: main, count: %d, template: {spec: {
      containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}}]}\
    """
        .formatted(name, name, name, priority, pods);
  }

  private static String admission(String queue, int cpu) {
    return """
    admission: {clusterQueue: %s, podSetAssignments: [
      {name: main, count: %d, flavors: {cpu: small}, resourceUsage: {cpu: %d}}]}\
    """
        .formatted(queue, cpu, cpu);
  }
}
