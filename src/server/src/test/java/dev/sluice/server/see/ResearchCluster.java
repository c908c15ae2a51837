package dev.sluice.server.see;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * The queues and jobs of three teams that share GPUs, as pictures and stories of pages show them.
 */
final class ResearchCluster {
  private static final String OURS = "/apis/kueue.x-k8s.io/v1beta2/";

  private final BiConsumer<String, String> creation;

  /**
   * One of an API server.
   *
   * @param creation takes a collection and the JSON of an object, with single quotes for double
   *     ones
   */
  ResearchCluster(BiConsumer<String, String> creation) {
    this.creation = creation;
  }

  /** Creates namespaces, flavors, priorities, cohorts, and queues. */
  void createQueues() {
    for (String namespace : List.of("team-a", "team-b", "team-c")) {
      creation.accept("/api/v1/namespaces", "{'metadata':{'name':'%s'}}".formatted(namespace));
    }
    for (String flavor : List.of("on-demand", "spot", "h100")) {
      create("ResourceFlavor", "resourceflavors", flavor, "'spec':{}");
    }
    create("WorkloadPriorityClass", "workloadpriorityclasses", "low", "'value':0");
    create("WorkloadPriorityClass", "workloadpriorityclasses", "normal", "'value':100");
    create("WorkloadPriorityClass", "workloadpriorityclasses", "urgent", "'value':1000");
    create("Cohort", "cohorts", "research", "'spec':{}");
    create("Cohort", "cohorts", "language", "'spec':{'parentName':'research'}");
    clusterQueue("llm-training", "language", groups("60", "256Gi", "0", "32"));
    clusterQueue("llm-serving", "language", groups("20", "128Gi", "0", "16"));
    clusterQueue("vision", "research", groups("40", "256Gi", "64", "16"));
    clusterQueue("batch", "", cpu("on-demand", "32"));
    clusterQueue("speech", "research", cpu("a100", "8"));
    localQueue("team-a", "training", "llm-training");
    localQueue("team-b", "training", "llm-training");
    localQueue("team-b", "serving", "llm-serving");
    localQueue("team-c", "vision", "vision");
    localQueue("team-c", "batch", "batch");
    localQueue("team-c", "speech", "speech");
  }

  /** Creates jobs that take all GPUs. */
  void createRunningJobs() {
    job("team-a", "pretrain-70b", "training", "normal", 8, 5, "16Gi", 4);
    job("team-b", "finetune-13b", "training", "low", 3, 4, "16Gi", 4);
    job("team-b", "chat-server", "serving", "urgent", 2, 6, "32Gi", 4);
    job("team-c", "detector-a", "vision", "low", 2, 8, "32Gi", 4);
    job("team-c", "detector-b", "vision", "low", 1, 8, "32Gi", 4);
    job("team-c", "labels", "vision", "low", 8, 8, "16Gi", 0);
    job("team-c", "nightly-report", "batch", "low", 3, 4, "", 0);
  }

  /** Creates jobs for which no GPU is left. */
  void createWaitingJobs() {
    job("team-a", "pretrain-large", "training", "normal", 4, 2, "8Gi", 4);
    job("team-a", "evaluate-70b", "training", "normal", 1, 2, "8Gi", 8);
    job("team-b", "finetune-34b", "training", "low", 4, 2, "8Gi", 4);
    job("team-b", "distill", "training", "low", 2, 2, "8Gi", 4);
    job("team-b", "embed-corpus", "training", "low", 6, 2, "8Gi", 2);
    job("team-c", "segmenter", "vision", "normal", 2, 2, "8Gi", 8);
    job("team-c", "transcribe", "speech", "normal", 1, 2, "", 0);
  }

  private void clusterQueue(String name, String cohort, String groups) {
    create(
        "ClusterQueue",
        "clusterqueues",
        name,
        "'spec':{'namespaceSelector':{}%s,'resourceGroups':[%s]}"
            .formatted(cohort.isEmpty() ? "" : ",'cohortName':'" + cohort + "'", groups));
  }

  private static String cpu(String flavor, String amount) {
    return """
    {'coveredResources':['cpu'],'flavors':[{'name':'%s','resources':[{'name':'cpu',
    'nominalQuota':'%s'}]}]}\
    """
        .formatted(flavor, amount);
  }

  private static String groups(String cpu, String memory, String spot, String gpus) {
    String both = // nobody borrows CPUs, so each job has one place only
        """
        {'name':'%s','resources':[{'name':'cpu','nominalQuota':'%s','borrowingLimit':'0'},
        {'name':'memory','nominalQuota':'%s'}]}\
        """;
    String more = spot.equals("0") ? "" : "," + both.formatted("spot", spot, "256Gi");
    return """
    {'coveredResources':['cpu','memory'],'flavors':[%s%s]},
    {'coveredResources':['nvidia.com/gpu'],'flavors':[{'name':'h100','resources':[
    {'name':'nvidia.com/gpu','nominalQuota':'%s'}]}]}\
    """
        .formatted(both.formatted("on-demand", cpu, memory), more, gpus);
  }

  private void localQueue(String namespace, String name, String clusterQueue) {
    create(
        "LocalQueue",
        "namespaces/%s/localqueues".formatted(namespace),
        name,
        "'spec':{'clusterQueue':'%s'}".formatted(clusterQueue));
  }

  /** A Job of so many pods, each with these requests; an empty amount or 0 is none. */
  void job(
      String namespace,
      String name,
      String queue,
      String priority,
      int pods,
      int cpu,
      String memory,
      int gpus) {
    String requests =
        "'cpu':'%d'%s%s"
            .formatted(
                cpu,
                memory.isEmpty() ? "" : ",'memory':'" + memory + "'",
                gpus == 0 ? "" : ",'nvidia.com/gpu':'" + gpus + "'");
    String limits = gpus == 0 ? "" : ",'limits':{'nvidia.com/gpu':'" + gpus + "'}";
    creation.accept(
        "/apis/batch/v1/namespaces/%s/jobs".formatted(namespace),
        """
        {'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'%s','labels':{
        'kueue.x-k8s.io/queue-name':'%s','kueue.x-k8s.io/priority-class':'%s'}},'spec':{
        'suspend':true,'parallelism':%d,'completions':%4$d,'template':{'spec':{
        'restartPolicy':'Never','containers':[{'name':'c','image':'i','resources':{
        'requests':{%s}%s}}]}}}}\
        """
            .formatted(name, queue, priority, pods, requests, limits));
  }

  private void create(String kind, String collection, String name, String members) {
    creation.accept(
        OURS + collection,
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s','metadata':{'name':'%s'},%s}"
            .formatted(kind, name, members));
  }
}
