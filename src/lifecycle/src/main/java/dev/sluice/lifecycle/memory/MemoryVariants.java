package dev.sluice.lifecycle.memory;

import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.Workload;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.lifecycle.variant.Families;
import dev.sluice.lifecycle.variant.Families.Family;
import dev.sluice.lifecycle.variant.VariantPlan;
import dev.sluice.lifecycle.variant.VariantPlanner;
import dev.sluice.lifecycle.workload.WorkloadDependencies;
import dev.sluice.lifecycle.workload.WorkloadTriggers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Consumer;

/** The controller of variants under concurrent admission, over objects in memory. */
final class MemoryVariants {
  private final boolean isOn;
  private final MemoryObjects objects;
  private final MemoryOutbox outbox;
  private final InstantSource clock;
  private final Families families;
  private final VariantPlanner planner;
  private final SequencedSet<ObjectKey> parents = new LinkedHashSet<>();
  private final Timers<ObjectKey> timers = new Timers<>();

  MemoryVariants(
      FeatureGates gates,
      MemoryObjects objects,
      WorkloadTriggers triggers,
      WorkloadDependencies dependencies,
      MemoryOutbox outbox,
      InstantSource clock) {
    this.isOn = gates.isOn(FeatureGate.CONCURRENT_ADMISSION);
    this.objects = objects;
    this.outbox = outbox;
    this.clock = clock;
    this.families =
        new Families(objects, it -> HubObjects.read(Workload.class, it), triggers, dependencies);
    this.planner =
        new VariantPlanner(StatusDetail.of(gates), gates.isOn(FeatureGate.ADMISSION_GATED_BY));
  }

  /** An object changed; {@link #plan} looks at the parents concerned. */
  void note(GroupKind kind, ObjectChange change) {
    if (isOn) {
      parents.addAll(families.concernedBy(kind, change));
    }
  }

  /** The next time at which a parent has to be looked at without a change. */
  Optional<Instant> nextDue() {
    return timers.next();
  }

  /** {@link #plan} looks at the parents that are due by now. */
  void takeDue() {
    parents.addAll(timers.take(clock.instant()));
  }

  /**
   * Plans the variants of all parents concerned.
   *
   * @param looked receives each parent
   * @return whether anything was written
   */
  boolean plan(Consumer<ObjectKey> looked) {
    boolean written = false;
    while (!parents.isEmpty()) {
      ObjectKey key = parents.removeFirst();
      looked.accept(key);
      written |= plan(key);
    }
    return written;
  }

  private boolean plan(ObjectKey key) {
    Instant now = clock.instant();
    Family family = families.of(key);
    if (family.parent().isEmpty()
        && !objects.hasSeen(new TypedObjectKey(WorkloadView.KIND, key.namespace(), key.name()))) {
      return false; // of a Workload that was never here nothing is known
    }
    VariantPlan plan = planner.plan(family, now);
    boolean written = outbox.send(plan.writes(), () -> parents.add(key));
    timers.set(key, plan.again(), written, now);
    return written;
  }
}
