/**
 * Where Pods ask to be placed: the topology annotations of Pods and Pod templates, alone ({@link
 * dev.sluice.webhook.rules.jobs.topology.TopologyRequest}), against the number of Pods, and between
 * templates that are to be placed together. Start with {@link
 * dev.sluice.webhook.rules.jobs.topology.PodSet}.
 */
@NullMarked
package dev.sluice.webhook.rules.jobs.topology;

import org.jspecify.annotations.NullMarked;
