package dev.sluice.lifecycle.variant;

import static dev.sluice.api.vocabulary.ConditionTypes.PODS_READY;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
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

/** Plans for a Workload that has the admission of one of its variants, its source. */
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
    Optional<Workload> source =
        flavors.admitted(family.variants().stream().filter(this::isSource).toList());
    return source.map(this::withSource).orElseGet(this::lost);
  }

  /** Whether the parent's admission has the flavor of the variant, and no other. */
  private boolean isSource(Workload variant) {
    return Variants.hasOnly(parent.status().admission(), Variants.flavor(variant));
  }

  /**
   * The variants that hold quota lose it with the parent, once its pods have ended. If the parent
   * was evicted because its source was, the others stay in the race.
   */
  private List<Write> evictions() {
    boolean isForSource =
        Variants.eviction(parent)
            .filter(it -> it.reason().equals(Reasons.VARIANT_EVICTED))
            .isPresent();
    List<Write> writes = new ArrayList<>();
    for (Workload variant : family.variants()) {
      if (Variants.holdsQuota(variant)
          && !Variants.isEvicted(variant)
          && (!isForSource || isSource(variant))) {
        String message = "Workload " + parent.metadata().name() + " was evicted";
        writes.addAll(evicted(variant, Reasons.CONCURRENT_ADMISSION, message));
      }
    }
    return writes;
  }

  private List<Write> evicted(Workload workload, String reason, String message) {
    return Eviction.of(workload, reason, message, detail, now);
  }

  /** The source is no longer admitted, so the parent is evicted. */
  private VariantPlan lost() {
    String message =
        family.variants().stream()
            .filter(this::isSource)
            .flatMap(it -> Variants.eviction(it).stream().map(why -> because(it, why)))
            .findFirst()
            .orElse("The variant is no longer admitted");
    return VariantPlan.of(evicted(parent, Reasons.VARIANT_EVICTED, message));
  }

  private static String because(Workload variant, Condition why) {
    return "Variant %s was evicted: %s".formatted(variant.metadata().name(), why.message());
  }

  /**
   * The engine evicts the source when a variant on a preferred flavor would fit. Here the other was
   * admitted later than it got quota, by its admission checks.
   */
  private VariantPlan withSource(Workload source) {
    return flavors
        .admitted(family.variants())
        .filter(it -> flavors.isBetter(Variants.flavor(it), Variants.flavor(source)))
        .map(
            it ->
                VariantPlan.of(
                    evicted(
                        source,
                        Reasons.FLAVOR_MIGRATION,
                        "Variant %s was admitted, whose flavor is preferred"
                            .formatted(it.metadata().name()))))
        .orElseGet(() -> followed(source));
  }

  /** Copies the admission to the parent, and what became of the pods to the source. */
  private VariantPlan followed(Workload source) {
    WorkloadStatus own = parent.status();
    WorkloadStatus status = source.status();
    boolean moved = !Objects.equals(own.admission(), status.admission());
    if (!areReady(status.admissionChecks())) {
      return VariantPlan.REST; // the source is about to be evicted
    }
    if (moved || !own.admissionChecks().equals(status.admissionChecks())) {
      var next = own.toBuilder().admission(status.admission());
      next.admissionChecks(status.admissionChecks());
      return VariantPlan.of(
          changed(parent, moved ? next.unhealthyNodes(List.of()).build() : next.build()));
    }
    List<Write> writes = new ArrayList<>();
    for (Workload variant : family.variants()) {
      List<Write> first =
          variant.equals(source) ? changed(source, withPods(status)) : ranked(variant, source);
      // each write is for the version that was read, so there is one for a variant at a time
      writes.addAll(
          first.isEmpty() ? InheritedFields.followedWhileReserved(parent, variant) : first);
    }
    writes.addAll(VariantPlanner.missing(family, parent, better(source)));
    return writes.isEmpty() && family.clusterQueue().isPresent()
        ? Gates.next(parent, family.variants(), flavors, now)
        : VariantPlan.of(writes);
  }

  private List<String> better(Workload source) {
    return flavors.names().stream()
        .filter(it -> flavors.isBetter(it, Variants.flavor(source)))
        .toList();
  }

  private static boolean areReady(List<AdmissionCheckState> checks) {
    return checks.stream().allMatch(it -> it.state() == CheckState.READY);
  }

  /**
   * Only variants that are preferred to the source are active; an evicted one returns quota. While
   * the ClusterQueue is unknown, so is the order of its flavors.
   */
  private List<Write> ranked(Workload variant, Workload source) {
    List<Write> returned = QuotaReturn.of(variant, detail, now);
    if (!returned.isEmpty() || family.clusterQueue().isEmpty()) {
      return returned;
    }
    boolean isActive = variant.spec().active();
    if (!flavors.isBetter(Variants.flavor(variant), Variants.flavor(source))) {
      return isActive ? Activity.set(parent, variant, false) : List.of();
    }
    return !isActive && mayComeBack(variant)
        ? InheritedFields.followed(parent, variant)
        : List.of();
  }

  /** The order of the flavors may have changed since it was deactivated. */
  private static boolean mayComeBack(Workload variant) {
    return !Variants.isReserved(variant)
        && !Variants.isFinished(variant)
        && !Variants.isLeaving(variant)
        && Variants.rejection(variant).isEmpty();
  }

  /** The pods are the parent's: its status says whether they are ready, done, or on bad nodes. */
  private WorkloadStatus withPods(WorkloadStatus status) {
    var next = status.toBuilder();
    next.reclaimablePods(parent.status().reclaimablePods());
    next.unhealthyNodes(parent.status().unhealthyNodes());
    Optional<Condition> ready = parent.status().condition(PODS_READY);
    if (ready.isPresent() && !isSame(ready.get(), status.condition(PODS_READY))) {
      Condition copied = ready.get();
      return new StatusEditor(next.build(), null, detail, now)
          .set(
              PODS_READY,
              copied.status() == ConditionStatus.TRUE,
              copied.reason(),
              copied.message())
          .build();
    }
    return next.build();
  }

  private static boolean isSame(Condition copied, Optional<Condition> known) {
    return known
        .filter(it -> it.status() == copied.status() && it.reason().equals(copied.reason()))
        .isPresent();
  }

  private static List<Write> changed(Workload workload, WorkloadStatus wanted) {
    return StatusPatch.patch(workload, wanted).stream().toList();
  }
}
