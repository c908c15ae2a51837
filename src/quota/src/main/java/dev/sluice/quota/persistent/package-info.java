/**
 * A sorted map whose versions share what they have in common, so that keeping an old version costs
 * nothing. It is what makes a snapshot free. Start at {@link
 * dev.sluice.quota.persistent.PersistentMap}.
 */
@NullMarked
package dev.sluice.quota.persistent;

import org.jspecify.annotations.NullMarked;
