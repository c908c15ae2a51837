/**
 * The commands queue, top and history, which show what waits, what is in use and what has happened,
 * as the server of view.sluice.dev tells it, and stop and resume, which first show which workloads
 * they affect.
 */
@NullMarked
package dev.sluice.cli.queue;

import org.jspecify.annotations.NullMarked;
