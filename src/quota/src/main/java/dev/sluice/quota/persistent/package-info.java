/**
 * A persistent sorted map: versions share their common parts, so that keeping an old version costs
 * nothing. It makes snapshots free. Start at {@link dev.sluice.quota.persistent.PersistentMap}.
 */
@NullMarked
package dev.sluice.quota.persistent;

import org.jspecify.annotations.NullMarked;
