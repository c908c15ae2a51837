package dev.sluice.lifecycle.nodes;

import dev.sluice.api.core.Node;
import dev.sluice.api.core.NodeCondition;
import dev.sluice.api.flavor.Taint;
import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.quota.world.Taints;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of the node of one hostname.
 *
 * @param since when it was last seen, became not ready, or was first seen with a taint; meaningless
 *     for a sound node
 * @param taints its taints that repel pods
 */
record Host(State state, Instant since, List<Taint> taints) {
  /** Whether pods run there. */
  enum State {
    READY,
    NOT_READY,
    /** There is no node of that name, or its readiness was never reported. */
    GONE
  }

  /** A node that is ready and has no taints. */
  static final Host SOUND = new Host(State.READY, Instant.EPOCH, List.of());

  Host {
    taints = List.copyOf(taints);
  }

  /**
   * The state of the node.
   *
   * @param missed since when it is missing, if it was deleted
   * @param unsound since when it is not sound, if no condition shows that
   */
  static Host of(@Nullable Node node, Instant missed, Instant unsound) {
    Optional<NodeCondition> ready = node == null ? Optional.empty() : ready(node);
    if (node == null || ready.isEmpty()) {
      return new Host(State.GONE, missed, List.of());
    }
    if (ready.get().status() == ConditionStatus.TRUE) {
      return new Host(State.READY, unsound, node.spec().taints());
    }
    Instant since = ready.get().lastTransitionTime();
    return new Host(State.NOT_READY, since == null ? unsound : since, node.spec().taints());
  }

  private static Optional<NodeCondition> ready(Node node) {
    return node.status().conditions().stream().filter(c -> c.type().equals("Ready")).findFirst();
  }

  /** Whether it is ready and has no taints. */
  boolean isSound() {
    return state == State.READY && !repels(List.of());
  }

  /** Whether it keeps pods with these tolerations away. One for a time is none. */
  boolean repels(List<Toleration> tolerations) {
    List<Toleration> lasting =
        tolerations.stream().filter(it -> it.tolerationSeconds() == null).toList();
    return Taints.firstRepelling(taints, lasting) != null;
  }

  /** Whether it does so from the first moment, also where one for a time counts. */
  boolean repelsAtOnce(List<Toleration> tolerations) {
    return Taints.firstRepelling(taints, tolerations) != null;
  }
}
