package dev.sluice.bench.objects;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Admitted Workloads of about 7 KB: two pod sets of three containers each, conditions, and a
 * topology assignment of some hosts.
 */
final class WorkloadMaker implements ObjectMaker {
  private static final List<String> POD_SETS = List.of("driver", "workers");
  private static final List<String> CONTAINERS = List.of("main", "metrics", "log-shipper");
  private static final List<String> VARIABLES =
      List.of("DATASET", "CHECKPOINTS", "LEARNING_RATE", "RENDEZVOUS");
  private static final List<String> CONDITIONS = List.of("QuotaReserved", "Admitted", "PodsReady");

  @Override
  public String kind() {
    return "Workload";
  }

  @Override
  public List<ApiVersion> versions() {
    return List.of(ApiVersion.V1BETA1);
  }

  @Override
  public ObjectNode make(ApiVersion version, RandomGenerator random) {
    ObjectNode workload = Skeleton.object(kind(), version);
    String name = "job-training-" + Skeleton.suffix(random);
    ObjectNode metadata = Skeleton.giveMetadata(workload, name, random);
    metadata.put("namespace", "team-" + random.nextInt(40));
    metadata.putArray("finalizers").add("kueue.x-k8s.io/resource-in-use");
    ObjectNode spec = workload.putObject("spec");
    spec.put("queueName", "queue-" + random.nextInt(20)).put("active", true);
    spec.put("priority", 1000).put("priorityClassName", "production");
    spec.put("priorityClassSource", "kueue.x-k8s.io/workloadpriorityclass");
    ObjectNode status = workload.putObject("status");
    ObjectNode admission = status.putObject("admission");
    admission.put("clusterQueue", "cluster-queue-" + random.nextInt(10));
    for (String podSet : POD_SETS) {
      int pods = podSet.equals("driver") ? 1 : random.nextInt(4, 9);
      addPodSet(spec.withArray("podSets").addObject(), podSet, pods, random);
      addAssignment(admission.withArray("podSetAssignments").addObject(), podSet, pods, random);
    }
    CONDITIONS.forEach(type -> addCondition(status.withArray("conditions"), type, random));
    status.put("accumulatedPastExexcutionTimeSeconds", random.nextInt(4000));
    return workload;
  }

  private static void addPodSet(ObjectNode set, String name, int pods, RandomGenerator random) {
    set.put("name", name).put("count", pods);
    set.putObject("topologyRequest").put("required", "cloud.example.com/topology-rack");
    ObjectNode template = set.putObject("template");
    template.putObject("metadata").putObject("labels").put("app", "training").put("role", name);
    ObjectNode pod = template.putObject("spec");
    for (String container : CONTAINERS) {
      addContainer(pod.withArray("containers").addObject(), container, random);
    }
    pod.put("restartPolicy", "Never").put("serviceAccountName", "training");
    pod.put("terminationGracePeriodSeconds", 30).put("dnsPolicy", "ClusterFirst");
    pod.putObject("securityContext").put("runAsNonRoot", true).put("fsGroup", 2000);
    ObjectNode toleration = pod.putArray("tolerations").addObject();
    toleration.put("key", "nvidia.com/gpu").put("operator", "Exists").put("effect", "NoSchedule");
    ObjectNode volume = pod.putArray("volumes").addObject().put("name", "data");
    volume.putObject("persistentVolumeClaim").put("claimName", "data-" + random.nextInt(100));
  }

  private static void addContainer(ObjectNode container, String name, RandomGenerator random) {
    container.put("name", name);
    container.put("image", "registry.example.com/ml/" + name + ":v1." + random.nextInt(90));
    container.put("imagePullPolicy", "IfNotPresent");
    container.putArray("command").add("/usr/local/bin/" + name).add("--config=/etc/" + name);
    for (String variable : VARIABLES) {
      ObjectNode entry = container.withArray("env").addObject().put("name", variable);
      entry.put("value", "s3://bucket/" + Skeleton.suffix(random));
    }
    ObjectNode resources = container.putObject("resources");
    resources.putObject("requests").put("cpu", random.nextInt(1, 64) + "00m").put("memory", "8Gi");
    resources.putObject("limits").put("memory", "8Gi");
    ObjectNode mount = container.putArray("volumeMounts").addObject();
    mount.put("name", "data").put("mountPath", "/data").put("readOnly", true);
    ObjectNode security = container.putObject("securityContext");
    security.put("allowPrivilegeEscalation", false).put("readOnlyRootFilesystem", true);
    container.put("terminationMessagePath", "/dev/termination-log");
    container.put("terminationMessagePolicy", "File");
  }

  private static void addAssignment(
      ObjectNode assignment, String podSet, int pods, RandomGenerator random) {
    assignment.put("name", podSet).put("count", pods);
    assignment.putObject("flavors").put("cpu", "reserved").put("memory", "reserved");
    assignment.putObject("resourceUsage").put("cpu", pods * 6 + "").put("memory", pods * 24 + "Gi");
    ObjectNode topology = assignment.putObject("topologyAssignment");
    topology.putArray("levels").add("kubernetes.io/hostname");
    for (int pod = 0; pod < pods; pod++) {
      ObjectNode domain = topology.withArray("domains").addObject().put("count", 1);
      domain.putArray("values").add("gpu-pool-3-node-" + Skeleton.suffix(random));
    }
  }

  private static void addCondition(ArrayNode conditions, String type, RandomGenerator random) {
    ObjectNode condition = conditions.addObject().put("type", type).put("status", "True");
    condition.put("reason", type).put("lastTransitionTime", Skeleton.time(random));
    condition.put("observedGeneration", 1);
    condition.put("message", "The workload is in condition " + type + " since its last change");
  }
}
