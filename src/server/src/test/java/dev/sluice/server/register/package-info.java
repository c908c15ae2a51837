/** How a server publishes itself: the plan of its registration, and faults of the thread. */
@NullMarked
package dev.sluice.server.register;

import org.jspecify.annotations.NullMarked;
