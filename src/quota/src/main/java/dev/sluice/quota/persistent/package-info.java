/**
 * Maps whose versions share their common parts, so that keeping an old version costs nothing. The
 * sorted {@link dev.sluice.quota.persistent.PersistentMap} makes snapshots free, the hashed {@link
 * dev.sluice.quota.persistent.ForkableMap} forks of the engine.
 */
@NullMarked
package dev.sluice.quota.persistent;

import org.jspecify.annotations.NullMarked;
