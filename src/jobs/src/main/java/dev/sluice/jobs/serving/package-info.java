/** What the kinds share whose Pods wait in groups that serve. */
@NullMarked
package dev.sluice.jobs.serving;

import org.jspecify.annotations.NullMarked;
