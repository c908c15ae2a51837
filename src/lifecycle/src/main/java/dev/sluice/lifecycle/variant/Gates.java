package dev.sluice.lifecycle.variant;

import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.PreemptionGates;
import dev.sluice.api.workload.GatePosition;
import dev.sluice.api.workload.PreemptionGateState;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.workload.StatusPatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Opens preemption gates of variants, one after the other, so that not all of them preempt for one
 * Workload.
 */
final class Gates {
  /** The time between two openings. */
  private static final Duration APART = Duration.ofMinutes(5);

  private Gates() {}

  /** Opens the gate of the next variant that waits for quota, if it is due. */
  static VariantPlan next(Workload parent, List<Workload> variants, Flavors flavors, Instant now) {
    List<Workload> waiting =
        variants.stream()
            .filter(it -> it.spec().active() && !Variants.isReserved(it))
            .filter(it -> !Variants.isFinished(it) && !Variants.isLeaving(it))
            .filter(it -> openSince(it).isEmpty())
            .sorted(Comparator.comparingInt(it -> flavors.rank(Variants.flavor(it))))
            .toList();
    if (waiting.isEmpty()) {
      return VariantPlan.REST;
    }
    Optional<Instant> due =
        variants.stream()
            .filter(it -> it.spec().active())
            .flatMap(it -> openSince(it).stream())
            .max(Instant::compareTo)
            .map(it -> it.plus(APART));
    if (due.filter(now::isBefore).isPresent()) {
      return new VariantPlan(List.of(), due);
    }
    return VariantPlan.of(opened(parent, waiting.getFirst(), now));
  }

  private static List<Write> opened(Workload parent, Workload variant, Instant now) {
    List<PreemptionGateState> gates = new ArrayList<>(variant.status().preemptionGates());
    gates.removeIf(it -> it.name().equals(PreemptionGates.CONCURRENT_ADMISSION));
    gates.add(
        new PreemptionGateState(PreemptionGates.CONCURRENT_ADMISSION, GatePosition.OPEN, now));
    List<Write> writes = new ArrayList<>();
    StatusPatch.patch(variant, variant.status().toBuilder().preemptionGates(gates).build())
        .ifPresent(writes::add);
    writes.add(
        Variants.event(
            parent,
            EventReasons.PREEMPTION_UNGATED_VARIANT,
            "Variant " + variant.metadata().name() + " may preempt"));
    return writes;
  }

  private static Optional<Instant> openSince(Workload variant) {
    return variant.status().preemptionGates().stream()
        .filter(it -> it.name().equals(PreemptionGates.CONCURRENT_ADMISSION))
        .filter(it -> it.position() == GatePosition.OPEN)
        .map(PreemptionGateState::lastTransitionTime)
        .findFirst();
  }
}
