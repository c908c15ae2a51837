/**
 * What a worker cluster holds of ours: objects with our origin label, watched over one connection.
 * Start with {@link dev.sluice.multicluster.view.WorkerView}.
 */
@NullMarked
package dev.sluice.multicluster.view;

import org.jspecify.annotations.NullMarked;
