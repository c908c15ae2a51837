/** The LeaderWorkerSet. */
@NullMarked
package dev.sluice.jobs.leaderworkerset;

import org.jspecify.annotations.NullMarked;
