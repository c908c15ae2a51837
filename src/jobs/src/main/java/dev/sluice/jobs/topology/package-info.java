/** The annotations of Pod templates that ask for placement by topology, and their rules. */
@NullMarked
package dev.sluice.jobs.topology;

import org.jspecify.annotations.NullMarked;
