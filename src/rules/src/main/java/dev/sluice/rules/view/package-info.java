/**
 * The cluster as rules see it, beyond the reviewed object. {@link
 * dev.sluice.rules.view.ClusterView} is the port: watches feed one in a cluster, files feed one
 * offline, and tests write one down.
 */
@NullMarked
package dev.sluice.rules.view;

import org.jspecify.annotations.NullMarked;
