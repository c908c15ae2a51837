/** Single Pods and groups of Pods. */
@NullMarked
package dev.sluice.jobs.pod;

import org.jspecify.annotations.NullMarked;
