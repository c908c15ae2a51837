/**
 * The controllers of jobs and Workloads over objects in memory, in one thread and by a clock that
 * is given: what simulations and tests run in place of a cluster. Start at {@link
 * dev.sluice.lifecycle.memory.MemoryControllers}.
 */
@NullMarked
package dev.sluice.lifecycle.memory;

import org.jspecify.annotations.NullMarked;
