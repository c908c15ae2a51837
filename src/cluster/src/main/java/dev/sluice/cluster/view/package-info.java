/**
 * What rules ask of the cluster, kept up to date by watches. Start at {@link
 * dev.sluice.cluster.view.WatchedView}: one {@code Reflector} for each kind lists and watches, and
 * writes into the kind's {@code ObjectStore}, which any thread reads without waiting.
 */
@NullMarked
package dev.sluice.cluster.view;

import org.jspecify.annotations.NullMarked;
