package dev.sluice.quota.preempt;

import dev.sluice.quota.tree.Vector;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The preemptor, its requests, and those that only preemption can satisfy. */
public final class PreemptionRequest {
  private final WorkloadState preemptor;
  private final QueueRules rules;
  private final int node;
  private final int[] needed;
  private final Vector wanted;
  private final @Nullable WorkloadState replaced;
  private final BooleanSupplier placeable;

  /** Pods may run anywhere. */
  public static final BooleanSupplier ANYWHERE = () -> true;

  /** A request of quota alone. */
  public PreemptionRequest(
      WorkloadState preemptor,
      QueueRules rules,
      int node,
      int[] needed,
      Vector wanted,
      @Nullable WorkloadState replaced) {
    this(preemptor, rules, node, needed, wanted, replaced, ANYWHERE);
  }

  /**
   * @param node of the preemptor's queue
   * @param needed the columns that are free only after preemption
   * @param wanted all that has to fit in the end
   * @param replaced a slice that ends without being preempted, or null
   * @param placeable whether, as the trial is at the moment, the pods find places
   */
  public PreemptionRequest(
      WorkloadState preemptor,
      QueueRules rules,
      int node,
      int[] needed,
      Vector wanted,
      @Nullable WorkloadState replaced,
      BooleanSupplier placeable) {
    this.preemptor = preemptor;
    this.rules = rules;
    this.node = node;
    this.needed = needed.clone();
    this.wanted = wanted;
    this.replaced = replaced;
    this.placeable = placeable;
  }

  /** Whether the other one asks for the same, so that the same trial has the same answer. */
  @SuppressWarnings(
      "ReferenceEquality") // an equal one that is not the very same may be asked again
  boolean asksAs(PreemptionRequest other) {
    return preemptor == other.preemptor
        && rules == other.rules
        && replaced == other.replaced
        && node == other.node
        && placeable == ANYWHERE
        && other.placeable == ANYWHERE
        && Arrays.equals(needed, other.needed)
        && wanted.isSameAs(other.wanted);
  }

  WorkloadState preemptor() {
    return preemptor;
  }

  QueueRules rules() {
    return rules;
  }

  int node() {
    return node;
  }

  /** Not to be changed. */
  int[] needed() {
    return needed;
  }

  Vector wanted() {
    return wanted;
  }

  boolean placeable() {
    return placeable.getAsBoolean();
  }

  boolean replaces(WorkloadState workload) {
    return replaced != null && replaced.key().equals(workload.key());
  }
}
