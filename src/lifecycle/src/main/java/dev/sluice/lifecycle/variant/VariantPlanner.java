package dev.sluice.lifecycle.variant;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.variant.Families.Family;
import dev.sluice.lifecycle.workload.StatusPatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans the next writes for a Workload of a ClusterQueue with a {@code concurrentAdmissionPolicy}.
 * It is split into variants, one for each flavor, and takes over the admission of the variant that
 * was admitted. Only variants hold quota. Pure and stateless, so a plan goes on after a kill
 * between any two writes.
 */
// A parent and its source are evicted one write after the other. The source keeps its quota until
// the parent has given its admission back, which it does when its pods have ended.
public final class VariantPlanner {
  private final StatusDetail detail;
  private final boolean isGated;

  /**
   * A planner.
   *
   * @param isGated whether an annotation may gate admission
   */
  public VariantPlanner(StatusDetail detail, boolean isGated) {
    this.detail = detail;
    this.isGated = isGated;
  }

  /** Plans the next writes. */
  public VariantPlan plan(Family family, Instant now) {
    if (family.parent().isEmpty()) {
      return dissolved(family);
    }
    Workload parent = family.parent().get();
    if (Variants.isFinished(parent)) {
      return dissolved(family);
    }
    if (Variants.isLeaving(parent)) {
      // a deletion in the foreground waits for the variants, so they go before it is gone
      return mayHavePods(parent) ? VariantPlan.REST : dissolved(family);
    }
    boolean isMember = Families.parentUid(parent).isPresent() || isSlice(parent);
    boolean hasPolicy =
        family
            .clusterQueue()
            .filter(it -> it.spec().concurrentAdmissionPolicy() != null)
            .isPresent();
    if (!isParent(parent)) {
      return hasPolicy && !isMember && !Variants.isReserved(parent)
          ? labelled(parent, "true")
          : VariantPlan.REST;
    }
    if (family.clusterQueue().isPresent() && !hasPolicy && !Variants.isReserved(parent)) {
      VariantPlan without = dissolved(family);
      return without.isRest() ? labelled(parent, null) : without;
    }
    VariantPlan strangers = strangers(family, parent);
    if (!strangers.isRest()) {
      return strangers;
    }
    return Variants.isReserved(parent)
        ? new RunningFamily(family, parent, detail, now).plan()
        : new PendingFamily(family, parent, detail, isGated, now).plan();
  }

  /** Its finalizer is removed when its pods have ended. */
  private static boolean mayHavePods(Workload leaving) {
    return leaving.metadata().finalizers().contains(Finalizers.RESOURCE_IN_USE);
  }

  private static boolean isParent(Workload workload) {
    return workload.metadata().labels().containsKey(Labels.CONCURRENT_ADMISSION_PARENT);
  }

  /** Elastic jobs: each slice needs the flavors of the first. */
  private static boolean isSlice(Workload workload) {
    return workload.metadata().annotations().containsKey(Annotations.WORKLOAD_SLICE_NAME);
  }

  private static VariantPlan labelled(Workload workload, @Nullable String value) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").putObject("labels").put(Labels.CONCURRENT_ADMISSION_PARENT, value);
    return VariantPlan.of(List.of(Variants.patch(workload, body)));
  }

  /** Deletes variants of an earlier Workload with the same name. */
  private static VariantPlan strangers(Family family, Workload parent) {
    List<Write> writes = new ArrayList<>();
    for (Workload variant : family.variants()) {
      if (!Families.parentUid(variant).equals(Optional.of(parent.metadata().uid()))) {
        writes.addAll(deletion(variant));
      }
    }
    return VariantPlan.of(writes);
  }

  /** Deletes all variants, which frees their quota. */
  static VariantPlan dissolved(Family family) {
    List<Write> writes = new ArrayList<>();
    for (Workload variant : family.variants()) {
      writes.addAll(deletion(variant));
      family
          .parent()
          .filter(_ -> !Variants.isLeaving(variant))
          .ifPresent(it -> writes.add(deleted(it, variant)));
    }
    return VariantPlan.of(writes);
  }

  /** Creates the variants that do not exist, of these flavors. */
  static List<Write> missing(Family family, Workload parent, List<String> flavors) {
    List<Write> writes = new ArrayList<>();
    for (String flavor : flavors) {
      if (family.variants().stream().noneMatch(it -> Variants.flavor(it).equals(flavor))) {
        Write.Create create = Variants.created(parent, flavor);
        writes.add(create);
        writes.add(
            Variants.event(
                parent, EventReasons.CREATED_VARIANT, "Created variant " + create.target().name()));
      }
    }
    return writes;
  }

  static Write.Event deleted(Workload parent, Workload variant) {
    return Variants.event(
        parent, EventReasons.DELETED_VARIANT, "Deleted variant " + variant.metadata().name());
  }

  /** Removes the finalizer first; if it is being deleted, that is all. */
  static List<Write> deletion(Workload variant) {
    List<Write> writes = new ArrayList<>();
    ObjectMeta metadata = variant.metadata();
    if (metadata.finalizers().contains(Finalizers.RESOURCE_IN_USE)) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      var left = body.putObject("metadata").putArray("finalizers");
      metadata.finalizers().stream()
          .filter(it -> !it.equals(Finalizers.RESOURCE_IN_USE))
          .forEach(left::add);
      writes.add(Variants.patch(variant, body));
    }
    if (!Variants.isLeaving(variant)) {
      writes.add(new Write.Delete(StatusPatch.ref(variant)));
    }
    return writes;
  }
}
