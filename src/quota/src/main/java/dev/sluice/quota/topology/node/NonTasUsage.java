package dev.sluice.quota.topology.node;

import dev.sluice.api.core.Pod;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.request.PodRequests;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.Levels;
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

  /** The pods on one node, and what they take together. */
  private static final class OnNode {
    private static final OnNode NOTHING = new OnNode(PersistentMap.empty(), new long[0]);

    private final PersistentMap<ObjectKey, long[]> pods;
    private final long[] taken;

    private OnNode(PersistentMap<ObjectKey, long[]> pods, long[] taken) {
      this.pods = pods;
      this.taken = taken;
    }

    OnNode with(ObjectKey pod, long[] amounts) {
      OnNode rest = without(pod);
      return new OnNode(rest.pods.with(pod, amounts), ResourceNumbers.plus(rest.taken, amounts, 1));
    }

    OnNode without(ObjectKey pod) {
      if (!pods.containsKey(pod)) {
        return this;
      }
      PersistentMap<ObjectKey, long[]> rest = pods.without(pod);
      long[] sum = new long[0];
      for (long[] amounts : rest.values()) {
        sum = ResourceNumbers.plus(sum, amounts, 1);
      }
      return new OnNode(rest, sum);
    }
  }

  private final ResourceNumbers resources;
  private final Consumer<String> changed;
  private final ForkableMap<String, OnNode> podsOf;
  private final ForkableMap<ObjectKey, String> nodeOf;
  private final LingeringPods strays;
  private final ForkableMap<ObjectKey, Set<String>> strayOn;

  /**
   * Empty.
   *
   * @param changed receives the name of each node whose usage by pods changed, known or not
   */
  public NonTasUsage(ResourceNumbers resources, Consumer<String> changed) {
    this.resources = resources;
    this.changed = changed;
    this.podsOf = new ForkableMap<>();
    this.nodeOf = new ForkableMap<>();
    this.strays = new LingeringPods();
    this.strayOn = new ForkableMap<>();
  }

  private NonTasUsage(NonTasUsage other, Consumer<String> changed) {
    this.resources = other.resources;
    this.changed = changed;
    this.podsOf = other.podsOf.fork();
    this.nodeOf = other.nodeOf.fork();
    this.strays = other.strays.fork();
    this.strayOn = other.strayOn.fork();
  }

  /** A copy with the same pods that changes independently and reports to another listener. */
  public NonTasUsage fork(Consumer<String> otherChanged) {
    return new NonTasUsage(this, otherChanged);
  }

  /** What pods take of the node, by the numbers of resources. Not to be changed. */
  public long[] taken(String node) {
    return podsOf.getOrDefault(node, OnNode.NOTHING).taken;
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
    podsOf.put(node, podsOf.getOrDefault(node, OnNode.NOTHING).with(key, amounts));
    changed.accept(node);
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
    OnNode rest = podsOf.getOrDefault(node, OnNode.NOTHING).without(pod);
    if (rest.pods.isEmpty()) {
      podsOf.remove(node);
    } else {
      podsOf.put(node, rest);
    }
    changed.accept(node);
  }

  /** The workload holds other places. */
  public void held(ObjectKey workload) {
    strays.held(workload);
  }

  /**
   * Usage of managed pods beyond the places of their workloads counts as usage of unmanaged pods.
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
