package dev.sluice.lifecycle.nodes;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;

/**
 * When nodes count as failed.
 *
 * @param replaces whether failed nodes are looked for at all
 * @param onTermination whether one that is not ready counts once no pod goes on there
 * @param onTaints whether one with a taint counts once no pod goes on there
 * @param overTime whether one that is not ready for half a minute counts, whatever runs there
 */
public record NodeSettings(
    boolean replaces, boolean onTermination, boolean onTaints, boolean overTime) {
  /** What an operator chose. */
  public static NodeSettings of(FeatureGates gates) {
    return new NodeSettings(
        gates.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
            && gates.isOn(FeatureGate.TAS_FAILED_NODE_REPLACEMENT),
        gates.isOn(FeatureGate.TAS_REPLACE_NODE_ON_POD_TERMINATION),
        gates.isOn(FeatureGate.TAS_REPLACE_NODE_ON_NODE_TAINTS),
        gates.isOn(FeatureGate.TAS_REPLACE_NODE_DUE_TO_NOT_READY_OVER_FIXED_TIME));
  }
}
