package dev.sluice.jobs.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.remote.CopiedFields;
import dev.sluice.jobs.remote.Mirror;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.List;
import java.util.Optional;

/** Pods on other clusters, alone or in groups. Here they stay gated for ever. */
final class RemotePods implements RemoteJobs {
  private static final String SCHEDULED = "PodScheduled";
  private static final String SERVICE_ACCOUNT_VOLUME = "kube-api-access-";

  @Override
  public Optional<List<String>> managedBy() {
    return Optional.empty();
  }

  @Override
  public ObjectNode copy(JsonNode pod, JsonNode workload) {
    ObjectNode copy = CopiedFields.of(pod);
    if (copy.path("spec") instanceof ObjectNode spec) {
      // the worker's own admission refuses a priority that it did not give
      spec.remove(List.of("nodeName", "priority", "ephemeralContainers"));
      removeTokens(spec);
    }
    return copy;
  }

  /** The worker injects the tokens of its own service accounts. */
  private static void removeTokens(ObjectNode spec) {
    removeInjected(spec, "volumes");
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode found) {
          removeInjected(found, "volumeMounts");
        }
      }
    }
  }

  private static void removeInjected(ObjectNode parent, String list) {
    ArrayNode kept = parent.arrayNode();
    for (JsonNode item : parent.path(list)) {
      if (!item.path("name").asText().startsWith(SERVICE_ACCOUNT_VOLUME)) {
        kept.add(item);
      }
    }
    if (kept.size() < parent.path(list).size()) {
      parent.set(list, kept);
      if (kept.isEmpty()) {
        parent.remove(list);
      }
    }
  }

  /** A failed Pod has ended, and another one takes its place in the group. */
  @Override
  public boolean isWanted(JsonNode local) {
    return !Pods.isDeleting(local) && !Pods.phase(local).equals("Failed");
  }

  /**
   * A Pod that its queue there stops has not failed: the Workload is offered again. A gated Pod
   * that seemed unschedulable would make a cluster autoscaler add nodes here, so its own condition
   * stays until the copy has a node.
   */
  @Override
  public Mirror mirror(JsonNode local, JsonNode remote) {
    boolean isStoppedThere = Pods.isDeleting(remote) && Pods.isStopped(remote);
    if (Pods.isDeleting(local) || isStoppedThere) {
      return Mirror.NOTHING;
    }
    boolean keepsCondition = Pods.isGated(local) && !Conditions.isTrue(remote, SCHEDULED);
    if (!keepsCondition || !(remote.path("status") instanceof ObjectNode status)) {
      return Mirror.whole(local, remote.path("status"));
    }
    ObjectNode merged = status.deepCopy();
    ArrayNode conditions = Patches.object().arrayNode();
    status
        .path("conditions")
        .valueStream()
        .filter(it -> !isScheduling(it))
        .forEach(conditions::add);
    Conditions.find(local, SCHEDULED).ifPresent(conditions::add);
    merged.set("conditions", conditions);
    return Mirror.whole(local, merged);
  }

  private static boolean isScheduling(JsonNode condition) {
    return condition.path("type").asText().equals(SCHEDULED);
  }

  @Override
  public boolean hasEnded(JsonNode remote) {
    return Pods.isTerminal(remote);
  }

  @Override
  public boolean mayRun(JsonNode remote) {
    return Pods.isScheduled(remote) && !Pods.isTerminal(remote);
  }
}
