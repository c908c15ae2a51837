/** Why a Workload waits, worker by worker, in sentences for users. */
@NullMarked
package dev.sluice.multicluster.waiting;

import org.jspecify.annotations.NullMarked;
