package dev.sluice.lifecycle.nodes;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;

/**
 * When nodes count as failed.
 *
 * @param replaces whether failed nodes are replaced at all
 * @param onTermination whether a node that is not ready counts as failed once no pod runs there
 * @param onTaints whether a node with a taint counts as failed once no pod runs there
 * @param overTime whether a node that is not ready for half a minute counts as failed, even if pods
 *     run there
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
