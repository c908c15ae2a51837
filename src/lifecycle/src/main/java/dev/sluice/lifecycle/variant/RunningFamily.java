package dev.sluice.lifecycle.variant;

import static dev.sluice.api.vocabulary.ConditionTypes.PODS_READY;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.variant.Families.Family;
import dev.sluice.lifecycle.workload.StatusPatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A Workload that has the admission of a variant. */
final class RunningFamily {
  private final Family family;
  private final Workload parent;
  private final StatusDetail detail;
  private final Instant now;
  private final Flavors flavors;

  RunningFamily(Family family, Workload parent, StatusDetail detail, Instant now) {
    this.family = family;
    this.parent = parent;
    this.detail = detail;
    this.now = now;
    this.flavors = Flavors.of(family.clusterQueue());
  }

  VariantPlan plan() {
    if (Variants.isEvicted(parent)) {
      return VariantPlan.of(evictions());
    }
    Optional<Workload> winner = flavors.admitted(family.variants());
    return winner.map(this::follow).orElseGet(this::lost);
  }

  /** Who has quota for the parent loses it, too, once the parent's pods have ended. */
  private List<Write> evictions() {
    List<Write> writes = new ArrayList<>();
    for (Workload variant : family.variants()) {
      if (Variants.holdsQuota(variant) && !Variants.isEvicted(variant)) {
        String reason = Reasons.CONCURRENT_ADMISSION;
        String message = "Workload " + parent.metadata().name() + " was evicted";
        writes.addAll(
            changed(
                variant,
                new StatusEditor(variant, detail, now).evict(reason, reason, "", message).build()));
        writes.add(Variants.event(variant, "EvictedDueTo" + reason, message));
      }
    }
    return writes;
  }

  /** The variant whose admission the parent has is admitted no more. */
  private VariantPlan lost() {
    String message =
        family.variants().stream()
            .filter(Variants::holdsQuota)
            .flatMap(it -> Variants.eviction(it).stream().map(why -> evicted(it, why)))
            .findFirst()
            .orElse("No variant is admitted any more");
    String reason = Reasons.VARIANT_EVICTED;
    List<Write> writes =
        new ArrayList<>(
            changed(
                parent,
                new StatusEditor(parent, detail, now).evict(reason, reason, "", message).build()));
    writes.add(Variants.event(parent, "EvictedDueTo" + reason, message));
    return VariantPlan.of(writes);
  }

  private static String evicted(Workload variant, Condition why) {
    return "Variant %s was evicted: %s".formatted(variant.metadata().name(), why.message());
  }

  /**
   * The parent has what the variant has, and the variant knows what became of the parent's pods.
   */
  private VariantPlan follow(Workload winner) {
    WorkloadStatus own = parent.status();
    WorkloadStatus status = winner.status();
    List<Write> writes = new ArrayList<>();
    if (!Objects.equals(own.admission(), status.admission())
        || !own.admissionChecks().equals(status.admissionChecks())) {
      boolean moved = !Objects.equals(own.admission(), status.admission());
      var next = own.toBuilder().admission(status.admission());
      next.admissionChecks(status.admissionChecks());
      writes.addAll(changed(parent, moved ? next.unhealthyNodes(List.of()).build() : next.build()));
      return VariantPlan.of(writes);
    }
    writes.addAll(changed(winner, told(status)));
    for (Workload variant : family.variants()) {
      if (!variant.equals(winner)) {
        writes.addAll(QuotaReturn.of(variant, detail, now));
      }
      boolean over =
          !variant.equals(winner)
              && variant.spec().active()
              && !flavors.isBetter(Variants.flavor(variant), Variants.flavor(winner));
      if (over) {
        writes.addAll(Activity.set(parent, variant, false));
      }
    }
    if (!writes.isEmpty()) {
      return VariantPlan.of(writes);
    }
    return Gates.next(parent, family.variants(), flavors, now);
  }

  /** Pods are the parent's: whether they are ready, or done, or on failed nodes, stands there. */
  private WorkloadStatus told(WorkloadStatus status) {
    var next = status.toBuilder();
    next.reclaimablePods(parent.status().reclaimablePods());
    next.unhealthyNodes(parent.status().unhealthyNodes());
    Optional<Condition> ready = parent.status().condition(PODS_READY);
    if (ready.isPresent() && !isSame(ready.get(), status.condition(PODS_READY))) {
      Condition told = ready.get();
      return new StatusEditor(next.build(), null, detail, now)
          .set(PODS_READY, told.status() == ConditionStatus.TRUE, told.reason(), told.message())
          .build();
    }
    return next.build();
  }

  private static boolean isSame(Condition told, Optional<Condition> known) {
    return known
        .filter(it -> it.status() == told.status() && it.reason().equals(told.reason()))
        .isPresent();
  }

  private static List<Write> changed(Workload workload, WorkloadStatus wanted) {
    return StatusPatch.patch(workload, wanted).stream().toList();
  }
}
