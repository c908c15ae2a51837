/**
 * Trees of objects that take little room: only what somebody reads is kept. Start at {@link
 * dev.sluice.cluster.json.PrunedReader}.
 */
@NullMarked
package dev.sluice.cluster.json;

import org.jspecify.annotations.NullMarked;
