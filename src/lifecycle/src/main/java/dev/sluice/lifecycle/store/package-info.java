/**
 * Objects in memory and indexes of them. {@link dev.sluice.lifecycle.store.ObjectLookup} is what a
 * holder of objects implements.
 */
@NullMarked
package dev.sluice.lifecycle.store;

import org.jspecify.annotations.NullMarked;
