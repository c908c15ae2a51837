/**
 * The commands queue and top, which show what waits and what is in use as the server of
 * view.sluice.dev tells it, and stop and resume, which first show which workloads they affect.
 */
@NullMarked
package dev.sluice.cli.queue;

import org.jspecify.annotations.NullMarked;
