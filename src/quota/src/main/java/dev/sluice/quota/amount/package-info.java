/**
 * Amounts of a resource as 64-bit integers with one value that means "unlimited", and the pair of
 * flavor and resource they are counted for. Start at {@link dev.sluice.quota.amount.Amount}.
 */
@NullMarked
package dev.sluice.quota.amount;

import org.jspecify.annotations.NullMarked;
