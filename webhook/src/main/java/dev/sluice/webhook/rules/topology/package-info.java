/** The rules for a Topology. Start at {@link dev.sluice.webhook.rules.topology.TopologyRules}. */
@NullMarked
package dev.sluice.webhook.rules.topology;

import org.jspecify.annotations.NullMarked;
