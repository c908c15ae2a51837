/**
 * Trees of objects that take little memory: only fields that are read are kept. Start at {@link
 * dev.sluice.json.tree.PrunedReader}.
 */
@NullMarked
package dev.sluice.json.tree;

import org.jspecify.annotations.NullMarked;
