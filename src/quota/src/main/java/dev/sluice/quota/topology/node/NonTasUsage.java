package dev.sluice.quota.topology.node;

import dev.sluice.api.core.Pod;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.quota.request.PodRequests;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.Levels;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pods that use nodes without holding a place there: those that topology-aware scheduling did
 * not place, and what placed pods use beyond the places of their workloads. Pods may arrive before
 * their nodes. For one thread.
 */
public final class NonTasUsage {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  private final ResourceNumbers resources;
  private final Map<String, NodeState> nodes;
  private final Consumer<NodeState> changed;
  private final Map<String, Map<ObjectKey, long[]>> podsOf = new HashMap<>();
  private final Map<ObjectKey, String> nodeOf = new HashMap<>();
  private final LingeringPods strays = new LingeringPods();
  private final Map<ObjectKey, Set<String>> strayOn = new HashMap<>();

  /**
   * None yet.
   *
   * @param nodes by name; read on from, and whoever adds one tells {@link #joinAll}
   * @param changed told each node on which pods take other amounts
   */
  public NonTasUsage(
      ResourceNumbers resources, Map<String, NodeState> nodes, Consumer<NodeState> changed) {
    this.resources = resources;
    this.nodes = nodes;
    this.changed = changed;
  }

  /** The pods that are known to be on a new node take their room of it. */
  public void joinAll(NodeState node) {
    podsOf.getOrDefault(node.name(), Map.of()).forEach(node::add);
  }

  /** The pod is now so; it counts where it runs on a node and has not ended. */
  public void put(Pod pod) {
    ObjectKey key = ObjectKey.of(pod.metadata());
    String node = pod.spec().nodeName();
    if (node == null || node.isEmpty() || ENDED.contains(String.valueOf(pod.status().phase()))) {
      remove(key);
      return;
    }
    if (pod.metadata().annotations().keySet().stream().anyMatch(NonTasUsage::isOurs)) {
      drop(key);
      seat(key, pod, node);
      return;
    }
    strays.remove(key);
    String before = nodeOf.put(key, node);
    if (before != null && !before.equals(node)) {
      leave(key, before);
    }
    join(key, node, amounts(pod));
  }

  private long[] amounts(Pod pod) {
    return resources.vector(
        ResourceNumbers.perPod(Requests.ofQuantities(PodRequests.of(pod.spec()))));
  }

  private void seat(ObjectKey key, Pod pod, String node) {
    Map<String, String> annotations = pod.metadata().annotations();
    String workload =
        annotations.getOrDefault(
            Annotations.WORKLOAD_SLICE_NAME, annotations.get(Annotations.WORKLOAD));
    String host = pod.spec().nodeSelector().get(Levels.HOSTNAME);
    if (workload == null || host == null) {
      strays.remove(key); // whose it is, or where it was to be, is not known
      return;
    }
    strays.put(key, new ObjectKey(key.namespace(), workload), node, host, amounts(pod));
  }

  private static boolean isOurs(String annotation) {
    return annotation.startsWith(Annotations.POD_SET_PREFIX)
        && (annotation.endsWith("-topology") || annotation.contains("-slice-"));
  }

  private void join(ObjectKey key, String node, long[] amounts) {
    podsOf.computeIfAbsent(node, _ -> new HashMap<>()).put(key, amounts);
    NodeState state = nodes.get(node);
    if (state != null) {
      state.add(key, amounts);
      changed.accept(state);
    }
  }

  /** The pod is gone. */
  public void remove(ObjectKey pod) {
    strays.remove(pod);
    drop(pod);
  }

  private void drop(ObjectKey pod) {
    String node = nodeOf.remove(pod);
    if (node != null) {
      leave(pod, node);
    }
  }

  private void leave(ObjectKey pod, String node) {
    Map<ObjectKey, long[]> own = podsOf.get(node);
    if (own != null && own.remove(pod) != null && own.isEmpty()) {
      podsOf.remove(node);
    }
    NodeState state = nodes.get(node);
    if (state != null) {
      state.remove(pod);
      changed.accept(state);
    }
  }

  /** The workload holds other places. */
  public void held(ObjectKey workload) {
    strays.held(workload);
  }

  /**
   * What pods of ours take beyond the places of their workloads is taken by nobody's pods.
   *
   * @param held what a workload holds on a host, or null for nothing
   */
  public void settle(BiFunction<ObjectKey, String, long @Nullable []> held) {
    for (ObjectKey workload : strays.takeChanged()) {
      Map<String, long[]> beyond = strays.beyond(workload, host -> held.apply(workload, host));
      ObjectKey key = new ObjectKey(workload.namespace(), "strays of " + workload.name());
      for (String node : strayOn.getOrDefault(workload, Set.of())) {
        if (!beyond.containsKey(node)) {
          leave(key, node);
        }
      }
      beyond.forEach((node, amounts) -> join(key, node, amounts));
      if (beyond.isEmpty()) {
        strayOn.remove(workload);
      } else {
        strayOn.put(workload, Set.copyOf(beyond.keySet()));
      }
    }
  }
}
