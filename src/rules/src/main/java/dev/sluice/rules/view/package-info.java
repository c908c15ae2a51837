/**
 * What rules may know of the cluster beyond the object they look at. {@link
 * dev.sluice.rules.view.ClusterView} is the port: watches feed one in a cluster, files feed one
 * offline, and tests write one down.
 */
@NullMarked
package dev.sluice.rules.view;

import org.jspecify.annotations.NullMarked;
