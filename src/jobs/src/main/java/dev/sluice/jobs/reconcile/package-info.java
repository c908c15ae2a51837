/** The steps that all kinds share. A kind implements {@link dev.sluice.jobs.reconcile.Job}. */
@NullMarked
package dev.sluice.jobs.reconcile;

import org.jspecify.annotations.NullMarked;
