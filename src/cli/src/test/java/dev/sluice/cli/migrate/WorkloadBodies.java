package dev.sluice.cli.migrate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.util.List;

/**
 * Workloads of two pod sets of three containers each, admitted to some nodes: about 5 KB in etcd.
 * The number makes each differ from the others.
 */
final class WorkloadBodies {
  /** Whether they wait: a template with requests only, and no status. */
  static final boolean PENDING = Boolean.getBoolean("sluice.migrate.pending");

  private static final List<String> POD_SETS =
      first("sluice.migrate.pod-sets", List.of("driver", "workers"));
  private static final List<String> CONTAINERS =
      first("sluice.migrate.containers", List.of("main", "metrics", "log-shipper"));
  private static final List<String> CONDITIONS = List.of("QuotaReserved", "Admitted", "PodsReady");

  private WorkloadBodies() {}

  /** As many of them as the property says, or else all. */
  private static List<String> first(String property, List<String> names) {
    return names.subList(
        0, Math.clamp(Integer.getInteger(property, names.size()), 1, names.size()));
  }

  /** One without status, as it is created at v1beta1. */
  static String created(String name, int number) {
    return created(ApiVersion.V1BETA1, name, number);
  }

  /** One without status, as it is created at v1beta1 or v1beta2. */
  static String created(ApiVersion version, String name, int number) {
    ObjectNode workload = JsonNodeFactory.instance.objectNode();
    workload.put("apiVersion", version.groupVersion()).put("kind", "Workload");
    ObjectNode metadata = workload.putObject("metadata").put("name", name);
    metadata.putObject("labels").put("team", "team-" + number % 7);
    ObjectNode spec = workload.putObject("spec");
    spec.put("queueName", "queue-" + number % 20).put("active", true).put("priority", 1000);
    givePriorityClass(spec, version);
    for (String podSet : POD_SETS) {
      addPodSet(spec.withArray("podSets").addObject(), podSet, number);
    }
    return workload.toString();
  }

  private static void givePriorityClass(ObjectNode spec, ApiVersion version) {
    if (version == ApiVersion.V1BETA1) {
      spec.put("priorityClassName", "production");
      spec.put("priorityClassSource", "kueue.x-k8s.io/workloadpriorityclass");
      return;
    }
    ObjectNode reference = spec.putObject("priorityClassRef").put("group", "kueue.x-k8s.io");
    reference.put("kind", "WorkloadPriorityClass").put("name", "production");
  }

  private static void addPodSet(ObjectNode set, String name, int number) {
    set.put("name", name).put("count", pods(name, number));
    set.putObject("topologyRequest").put("required", "cloud.example.com/topology-rack");
    ObjectNode template = set.putObject("template");
    template.putObject("metadata").putObject("labels").put("app", "training").put("role", name);
    ObjectNode pod = template.putObject("spec");
    for (String container : CONTAINERS) {
      addContainer(pod.withArray("containers").addObject(), container, number);
    }
    pod.put("restartPolicy", "Never");
    if (PENDING) {
      return;
    }
    pod.put("terminationGracePeriodSeconds", 30);
    pod.putArray("tolerations").addObject().put("key", "gpu").put("operator", "Exists");
  }

  private static void addContainer(ObjectNode container, String name, int number) {
    container.put("name", name).put("image", "registry.example.com/ml/" + name + ":v" + number);
    ObjectNode requests = container.putObject("resources").putObject("requests");
    requests.put("cpu", number % 64 + "00m").put("memory", "8Gi");
    if (PENDING) {
      return;
    }
    container.putArray("command").add("/usr/local/bin/" + name).add("--config=/etc/" + name);
    ArrayNode environment = container.putArray("env");
    environment.addObject().put("name", "DATASET").put("value", "s3://bucket/data-" + number);
    environment.addObject().put("name", "CHECKPOINTS").put("value", "s3://bucket/to-" + number);
    container.withObject("resources").putObject("limits").put("memory", "8Gi");
  }

  /** A merge patch of the status of one at v1beta1: it is admitted, and runs. */
  static String admission(int number) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode status = patch.putObject("status");
    status.put("accumulatedPastExexcutionTimeSeconds", number % 4000);
    ObjectNode admission = status.putObject("admission");
    admission.put("clusterQueue", "cluster-queue-" + number % 10);
    for (String podSet : POD_SETS) {
      addAssignment(admission.withArray("podSetAssignments").addObject(), podSet, number);
    }
    for (String type : CONDITIONS) {
      ObjectNode condition = status.withArray("conditions").addObject();
      condition.put("type", type).put("status", "True").put("reason", type);
      condition.put("lastTransitionTime", "2026-01-02T03:04:05Z");
      condition.put("message", "The workload is in condition " + type);
    }
    return patch.toString();
  }

  private static void addAssignment(ObjectNode assignment, String podSet, int number) {
    int pods = pods(podSet, number);
    assignment.put("name", podSet).put("count", pods);
    assignment.putObject("flavors").put("cpu", "reserved").put("memory", "reserved");
    assignment.putObject("resourceUsage").put("cpu", pods * 6 + "").put("memory", pods * 24 + "Gi");
    ObjectNode topology = assignment.putObject("topologyAssignment");
    topology.putArray("levels").add("kubernetes.io/hostname");
    for (int pod = 0; pod < pods; pod++) {
      ObjectNode domain = topology.withArray("domains").addObject().put("count", 1);
      domain.putArray("values").add("gpu-pool-3-node-" + (number + pod));
    }
  }

  private static int pods(String podSet, int number) {
    return podSet.equals("driver") ? 1 : 4 + number % 5;
  }
}
