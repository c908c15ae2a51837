/**
 * Trees of objects that take little room: only what somebody reads is kept. Start at {@link
 * dev.sluice.json.tree.PrunedReader}.
 */
@NullMarked
package dev.sluice.json.tree;

import org.jspecify.annotations.NullMarked;
