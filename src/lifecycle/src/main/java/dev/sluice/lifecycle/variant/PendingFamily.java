package dev.sluice.lifecycle.variant;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.DEACTIVATION_TARGET;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;
import static dev.sluice.api.vocabulary.ConditionTypes.WAITING_FOR_REPLACEMENT_PODS;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.RequeueState;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.variant.Families.Family;
import dev.sluice.lifecycle.workload.StatusPatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Plans for a Workload whose variants wait for quota, of which the first one admitted wins. */
final class PendingFamily {
  private final Family family;
  private final Workload parent;
  private final StatusDetail detail;
  private final boolean isGated;
  private final Instant now;
  private final Flavors flavors;

  PendingFamily(Family family, Workload parent, StatusDetail detail, boolean isGated, Instant now) {
    this.family = family;
    this.parent = parent;
    this.detail = detail;
    this.isGated = isGated;
    this.now = now;
    this.flavors = Flavors.of(family.clusterQueue());
  }

  VariantPlan plan() {
    if (!parent.spec().active()) {
      // a user who activates it again gives each flavor a new chance, whatever its checks said
      return VariantPlanner.dissolved(family);
    }
    Optional<Instant> backoff = backoff();
    boolean isRacing = backoff.isEmpty() && mayRun();
    List<Write> writes =
        each(it -> Variants.isLeaving(it) ? VariantPlanner.deletion(it) : List.of());
    if (writes.isEmpty() && !isRacing) {
      writes = each(this::withdrawn); // before it could be queued again
    }
    if (writes.isEmpty()) {
      writes = each(it -> QuotaReturn.of(it, detail, now));
    }
    return writes.isEmpty() && isRacing && family.clusterQueue().isPresent()
        ? racing()
        : new VariantPlan(writes, backoff);
  }

  private List<Write> each(Function<Workload, List<Write>> plan) {
    return family.variants().stream().flatMap(it -> plan.apply(it).stream()).toList();
  }

  private Optional<Instant> backoff() {
    RequeueState state = parent.status().requeueState();
    return Optional.ofNullable(state == null ? null : state.requeueAt()).filter(now::isBefore);
  }

  private boolean mayRun() {
    boolean gated =
        isGated
            && !parent
                .metadata()
                .annotations()
                .getOrDefault(Annotations.ADMISSION_GATED_BY, "")
                .isEmpty();
    boolean onHold =
        parent
            .status()
            .condition(QUOTA_RESERVED)
            .filter(it -> it.reason().equals(PendingReason.ON_HOLD.text()))
            .isPresent();
    return !gated && !onHold && !parent.status().isTrue(WAITING_FOR_REPLACEMENT_PODS);
  }

  private List<Write> withdrawn(Workload variant) {
    return variant.spec().active() ? Activity.set(parent, variant, false) : List.of();
  }

  private VariantPlan racing() {
    List<Write> outdated = each(this::evictedIfOutdated);
    if (!outdated.isEmpty()) {
      return VariantPlan.of(outdated);
    }
    Optional<Workload> winner = flavors.admitted(family.variants());
    if (winner.isPresent()) {
      return taken(winner.get());
    }
    if (areAllRejected()) {
      return VariantPlan.of(rejected());
    }
    List<Write> writes = new ArrayList<>();
    for (Workload variant : family.variants()) {
      boolean known = flavors.names().contains(Variants.flavor(variant));
      if (Variants.isFinished(variant) || (!known && !Variants.isReserved(variant))) {
        writes.addAll(VariantPlanner.deletion(variant));
        writes.add(VariantPlanner.deleted(parent, variant));
      } else if (!Variants.isReserved(variant)) {
        writes.addAll(followed(variant));
      } else {
        writes.addAll(InheritedFields.followedWhileReserved(parent, variant));
      }
    }
    writes.addAll(VariantPlanner.missing(family, parent, flavors.names()));
    return writes.isEmpty()
        ? Gates.next(parent, family.variants(), flavors, now)
        : VariantPlan.of(writes);
  }

  /** It got its quota for requests, or in a queue, that the parent no longer has. */
  private List<Write> evictedIfOutdated(Workload variant) {
    WorkloadSpec own = variant.spec();
    WorkloadSpec wanted = Variants.spec(parent);
    boolean isUpToDate =
        own.podSets().equals(wanted.podSets())
            && Objects.equals(own.queueName(), wanted.queueName());
    if (isUpToDate || !Variants.holdsQuota(variant)) {
      return List.of();
    }
    String message =
        "The pod sets or the queue of Workload %s changed".formatted(parent.metadata().name());
    return Eviction.of(variant, Reasons.CONCURRENT_ADMISSION, message, detail, now);
  }

  private boolean areAllRejected() {
    return !flavors.names().isEmpty()
        && flavors.names().stream()
            .allMatch(
                it ->
                    family.variants().stream()
                        .anyMatch(
                            variant ->
                                Variants.flavor(variant).equals(it)
                                    && Variants.rejection(variant).isPresent()));
  }

  /** No variant is left in the race, so the parent is deactivated for the reason of the first. */
  private List<Write> rejected() {
    if (parent.status().isTrue(DEACTIVATION_TARGET)) {
      return List.of();
    }
    Workload first =
        Collections.min(
            family.variants(), Comparator.comparingInt(it -> flavors.rank(Variants.flavor(it))));
    Condition why = Variants.rejection(first).orElseThrow();
    String cause = why.reason().substring((Reasons.DEACTIVATED + Reasons.DUE_TO).length());
    String message =
        "every variant was deactivated, %s: %s".formatted(first.metadata().name(), why.message());
    StatusEditor edit =
        new StatusEditor(parent, detail, now).set(DEACTIVATION_TARGET, true, cause, message);
    return StatusPatch.patch(parent, edit.build()).stream().toList();
  }

  /** The variant is in the race with what the parent requests now. */
  private List<Write> followed(Workload variant) {
    return Variants.rejection(variant).isPresent()
        ? List.of() // a check refused its flavor; the others go on
        : InheritedFields.followed(parent, variant);
  }

  /** The parent gets the admission of the variant, so its job may run. */
  private VariantPlan taken(Workload winner) {
    Admission admission = winner.status().admission();
    if (admission == null) {
      return VariantPlan.REST; // not so where quota is held
    }
    StatusEditor edit = new StatusEditor(parent, detail, now);
    edit.checks(winner.status().admissionChecks());
    List<Write> writes =
        new ArrayList<>(
            StatusPatch.patch(parent, edit.reserve(admission).admit().build()).stream().toList());
    writes.add(
        Variants.event(
            parent,
            ADMITTED,
            "Admitted by ClusterQueue %s with variant %s"
                .formatted(admission.clusterQueue(), winner.metadata().name())));
    return VariantPlan.of(writes);
  }
}
