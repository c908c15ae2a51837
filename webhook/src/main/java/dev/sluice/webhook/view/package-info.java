/**
 * What rules may know of the cluster beyond the object they look at. {@link
 * dev.sluice.webhook.view.ClusterView} is the port: watches feed one in a cluster, files feed one
 * offline, and tests write one down.
 */
@NullMarked
package dev.sluice.webhook.view;

import org.jspecify.annotations.NullMarked;
