/**
 * Supervision of the threads of a process. Each thread belongs to a part. The supervisor restarts a
 * part that fails, counts the failure, asks its heartbeat for the health of the process, and ends
 * the process after an {@link java.lang.Error}.
 */
@NullMarked
package dev.sluice.supervision;

import org.jspecify.annotations.NullMarked;
