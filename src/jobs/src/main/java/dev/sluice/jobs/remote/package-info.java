/**
 * How a job of this cluster runs on another one: what its copy there keeps and drops, and what of
 * the copy's status comes back.
 */
@NullMarked
package dev.sluice.jobs.remote;

import org.jspecify.annotations.NullMarked;
