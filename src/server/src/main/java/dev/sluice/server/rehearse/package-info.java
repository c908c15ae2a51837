/** One start of everything that a server loads, to record the JVM's ahead-of-time cache. */
@NullMarked
package dev.sluice.server.rehearse;

import org.jspecify.annotations.NullMarked;
