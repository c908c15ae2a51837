/**
 * The cluster as it was last seen or written. Start with {@link
 * dev.sluice.scheduler.store.Objects}; {@link dev.sluice.scheduler.store.Outbox} sends all writes,
 * and {@link dev.sluice.scheduler.store.Kinds} lists the watched kinds.
 */
@NullMarked
package dev.sluice.scheduler.store;

import org.jspecify.annotations.NullMarked;
