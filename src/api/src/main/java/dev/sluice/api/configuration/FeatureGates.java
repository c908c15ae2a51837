package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES;
import static dev.sluice.api.configuration.FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS;
import static dev.sluice.api.configuration.FeatureGate.FLAVOR_FUNGIBILITY;
import static dev.sluice.api.configuration.FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS;
import static dev.sluice.api.configuration.FeatureGate.KUEUE_DRA_INTEGRATION;
import static dev.sluice.api.configuration.FeatureGate.KUEUE_DRA_INTEGRATION_CONSUMABLE_CAPACITY;
import static dev.sluice.api.configuration.FeatureGate.KUEUE_DRA_INTEGRATION_EXTENDED_RESOURCE;
import static dev.sluice.api.configuration.FeatureGate.KUEUE_DRA_INTEGRATION_PARTITIONABLE_DEVICES;
import static dev.sluice.api.configuration.FeatureGate.TAS_BALANCED_PLACEMENT;
import static dev.sluice.api.configuration.FeatureGate.TAS_FAILED_NODE_REPLACEMENT;
import static dev.sluice.api.configuration.FeatureGate.TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST;
import static dev.sluice.api.configuration.FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS;
import static dev.sluice.api.configuration.FeatureGate.TAS_MULTI_LAYER_TOPOLOGY;
import static dev.sluice.api.configuration.FeatureGate.TAS_PROFILE_MIXED;
import static dev.sluice.api.configuration.FeatureGate.TAS_RECOMPUTE_ASSIGNMENT_WITHIN_SCHEDULING_CYCLE;
import static dev.sluice.api.configuration.FeatureGate.TAS_REPLACE_NODE_DUE_TO_NOT_READY_OVER_FIXED_TIME;
import static dev.sluice.api.configuration.FeatureGate.TAS_REPLACE_NODE_ON_NODE_TAINTS;
import static dev.sluice.api.configuration.FeatureGate.TAS_REPLACE_NODE_ON_POD_TERMINATION;
import static dev.sluice.api.configuration.FeatureGate.TAS_RESPECT_NODE_AFFINITY_PREFERRED;
import static dev.sluice.api.configuration.FeatureGate.TOPOLOGY_AWARE_SCHEDULING;
import static dev.sluice.api.configuration.FeatureGate.UNADMITTED_WORKLOADS_EXPLICIT_STATUS;
import static dev.sluice.api.configuration.FeatureGate.UNADMITTED_WORKLOADS_OBSERVABILITY;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which features are on. Immutable; asking costs a bit test. */
public final class FeatureGates {
  /** Every gate with its default. */
  public static final FeatureGates DEFAULT = new FeatureGates(defaults());

  private static final Set<FeatureGate> TAS_ALONE = Set.of(TOPOLOGY_AWARE_SCHEDULING);
  private static final Set<FeatureGate> NODE_REPLACEMENT =
      Set.of(TAS_FAILED_NODE_REPLACEMENT, TOPOLOGY_AWARE_SCHEDULING);

  /** What a gate needs to have on before it may be on itself. */
  private static final Map<FeatureGate, Set<FeatureGate>> NEEDS =
      Map.ofEntries(
          Map.entry(TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST, NODE_REPLACEMENT),
          Map.entry(TAS_REPLACE_NODE_ON_POD_TERMINATION, NODE_REPLACEMENT),
          Map.entry(TAS_REPLACE_NODE_DUE_TO_NOT_READY_OVER_FIXED_TIME, NODE_REPLACEMENT),
          Map.entry(TAS_FAILED_NODE_REPLACEMENT, TAS_ALONE),
          Map.entry(TAS_BALANCED_PLACEMENT, TAS_ALONE),
          Map.entry(TAS_REPLACE_NODE_ON_NODE_TAINTS, TAS_ALONE),
          Map.entry(TAS_MULTI_LAYER_TOPOLOGY, TAS_ALONE),
          Map.entry(TAS_RESPECT_NODE_AFFINITY_PREFERRED, TAS_ALONE),
          Map.entry(TAS_HANDLE_OVERLAPPING_FLAVORS, TAS_ALONE),
          Map.entry(TAS_PROFILE_MIXED, TAS_ALONE),
          Map.entry(TAS_RECOMPUTE_ASSIGNMENT_WITHIN_SCHEDULING_CYCLE, TAS_ALONE),
          Map.entry(
              UNADMITTED_WORKLOADS_EXPLICIT_STATUS, Set.of(UNADMITTED_WORKLOADS_OBSERVABILITY)),
          Map.entry(
              ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS,
              Set.of(ELASTIC_JOBS_VIA_WORKLOAD_SLICES, TOPOLOGY_AWARE_SCHEDULING)),
          Map.entry(KUEUE_DRA_INTEGRATION_EXTENDED_RESOURCE, Set.of(KUEUE_DRA_INTEGRATION)),
          Map.entry(KUEUE_DRA_INTEGRATION_PARTITIONABLE_DEVICES, Set.of(KUEUE_DRA_INTEGRATION)),
          Map.entry(KUEUE_DRA_INTEGRATION_CONSUMABLE_CAPACITY, Set.of(KUEUE_DRA_INTEGRATION)),
          Map.entry(FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS, Set.of(FLAVOR_FUNGIBILITY)));

  private final EnumSet<FeatureGate> on;

  private FeatureGates(EnumSet<FeatureGate> on) {
    this.on = on;
  }

  private static EnumSet<FeatureGate> defaults() {
    EnumSet<FeatureGate> on = EnumSet.noneOf(FeatureGate.class);
    for (FeatureGate gate : FeatureGate.values()) {
      if (gate.onByDefault()) {
        on.add(gate);
      }
    }
    return on;
  }

  /** Whether the feature is on. */
  public boolean isOn(FeatureGate gate) {
    return on.contains(gate);
  }

  /** All that are on, in the order of the enum. */
  public Set<FeatureGate> on() {
    return Collections.unmodifiableSet(on);
  }

  /**
   * The same with one gate switched, whatever that gate needs.
   *
   * @throws IllegalArgumentException if the gate is locked to the other value
   */
  public FeatureGates with(FeatureGate gate, boolean value) {
    if (gate.locked() && value != gate.onByDefault()) {
      throw new IllegalArgumentException(
          "%s: %s (expected: %s, the gate is locked)".formatted(gate, value, gate.onByDefault()));
    }
    EnumSet<FeatureGate> changed = EnumSet.copyOf(on);
    if (value) {
      changed.add(gate);
    } else {
      changed.remove(gate);
    }
    return new FeatureGates(changed);
  }

  /** The gates that this one needs and that are off, in the order of the enum. */
  List<FeatureGate> missingFor(FeatureGate gate) {
    List<FeatureGate> missing = new ArrayList<>(NEEDS.getOrDefault(gate, Set.of()));
    missing.removeAll(on);
    Collections.sort(missing);
    return missing;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FeatureGates gates && on.equals(gates.on);
  }

  @Override
  public int hashCode() {
    return on.hashCode();
  }

  /** The gates that are not at their default, as a flag would have it. */
  @Override
  public String toString() {
    List<String> changed = new ArrayList<>();
    for (FeatureGate gate : FeatureGate.values()) {
      if (isOn(gate) != gate.onByDefault()) {
        changed.add(gate + "=" + isOn(gate));
      }
    }
    return String.join(",", changed);
  }
}
