/**
 * Objects in memory and what finds them. Whoever has the objects implements {@link
 * dev.sluice.lifecycle.store.ObjectLookup}.
 */
@NullMarked
package dev.sluice.lifecycle.store;

import org.jspecify.annotations.NullMarked;
