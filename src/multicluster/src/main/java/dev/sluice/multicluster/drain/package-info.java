/** When a MultiKueueCluster may go: not before nothing of ours is left on its worker. */
@NullMarked
package dev.sluice.multicluster.drain;

import org.jspecify.annotations.NullMarked;
