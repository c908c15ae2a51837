/** The Deployment, which is queued by its Pods. */
@NullMarked
package dev.sluice.jobs.deployment;

import org.jspecify.annotations.NullMarked;
