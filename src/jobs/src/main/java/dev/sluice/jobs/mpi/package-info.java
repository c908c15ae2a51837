/** The MPIJob. */
@NullMarked
package dev.sluice.jobs.mpi;

import org.jspecify.annotations.NullMarked;
