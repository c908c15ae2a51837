/** What all job objects have in common: labels, annotations, owners, and paths into them. */
@NullMarked
package dev.sluice.jobs.object;

import org.jspecify.annotations.NullMarked;
