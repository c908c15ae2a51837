/**
 * The cluster as it was last seen or written. Start with {@link
 * dev.sluice.scheduler.store.Objects}; {@link dev.sluice.scheduler.store.Outbox} is the one way
 * out, and {@link dev.sluice.scheduler.store.Kinds} says what is watched.
 */
@NullMarked
package dev.sluice.scheduler.store;

import org.jspecify.annotations.NullMarked;
