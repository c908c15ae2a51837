/** The objects that stand on worker clusters for one here: how they are made, marked and proved. */
@NullMarked
package dev.sluice.multicluster.copy;

import org.jspecify.annotations.NullMarked;
