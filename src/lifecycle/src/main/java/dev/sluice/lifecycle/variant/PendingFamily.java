package dev.sluice.lifecycle.variant;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;
import static dev.sluice.api.vocabulary.ConditionTypes.WAITING_FOR_REPLACEMENT_PODS;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.PendingReason;
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
import java.util.List;
import java.util.Optional;

/** A Workload whose variants wait for quota. */
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
    List<Write> writes = new ArrayList<>();
    for (Workload variant : family.variants()) {
      writes.addAll(
          Variants.isLeaving(variant)
              ? VariantPlanner.deletion(variant)
              : QuotaReturn.of(variant, detail, now));
    }
    if (!writes.isEmpty()) {
      return VariantPlan.of(writes);
    }
    if (family.clusterQueue().isEmpty()) {
      return VariantPlan.REST; // its flavors are not known yet
    }
    Optional<Instant> backoff = backoff();
    return backoff.isPresent() || !mayRun() ? new VariantPlan(waiting(), backoff) : racing();
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
    return parent.spec().active()
        && !gated
        && !onHold
        && !parent.status().isTrue(WAITING_FOR_REPLACEMENT_PODS);
  }

  private List<Write> waiting() {
    List<Write> writes = new ArrayList<>();
    family.variants().stream()
        .filter(it -> it.spec().active())
        .forEach(it -> writes.addAll(Activity.set(parent, it, false)));
    return writes;
  }

  private VariantPlan racing() {
    Optional<Workload> winner = flavors.admitted(family.variants());
    if (winner.isPresent()) {
      return taken(winner.get());
    }
    List<Write> writes = new ArrayList<>();
    for (Workload variant : family.variants()) {
      boolean known = flavors.names().contains(Variants.flavor(variant));
      if (Variants.isFinished(variant) || (!known && !Variants.isReserved(variant))) {
        writes.addAll(VariantPlanner.deletion(variant));
        writes.add(VariantPlanner.deleted(parent, variant));
      } else if (!Variants.isReserved(variant)) {
        writes.addAll(followed(variant));
      }
    }
    for (String flavor : flavors.names()) {
      if (family.variants().stream().noneMatch(it -> Variants.flavor(it).equals(flavor))) {
        Write.Create create = Variants.created(parent, flavor);
        writes.add(create);
        writes.add(
            Variants.event(parent, "CreatedVariant", "Created variant " + create.target().name()));
      }
    }
    return writes.isEmpty()
        ? Gates.next(parent, family.variants(), flavors, now)
        : VariantPlan.of(writes);
  }

  /** The variant asks for what the parent asks for now, and takes part. */
  private List<Write> followed(Workload variant) {
    WorkloadSpec wanted = Variants.spec(parent);
    WorkloadSpec own = variant.spec();
    if (!own.active() && sameButForActivity(own, wanted)) {
      return Activity.set(parent, variant, true);
    }
    if (sameButForActivity(own, wanted)) {
      return List.of();
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ObjectNode spec = HubObjects.write(wanted);
    for (String member : List.of("queueName", "priorityClassRef", "priority")) {
      if (!spec.has(member)) {
        spec.putNull(member);
      }
    }
    body.set("spec", spec);
    return List.of(Variants.patch(variant, body));
  }

  private static boolean sameButForActivity(WorkloadSpec own, WorkloadSpec wanted) {
    WorkloadSpec active =
        new WorkloadSpec(
            own.podSets(),
            own.queueName(),
            own.priorityClassRef(),
            own.priority(),
            true,
            own.maximumExecutionTimeSeconds(),
            own.preemptionGates());
    return active.equals(wanted);
  }

  /** The parent gets what its variant was given; its job may run. */
  private VariantPlan taken(Workload winner) {
    Admission admission = winner.status().admission();
    if (admission == null) {
      return VariantPlan.REST; // as it is not, where quota is held
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
