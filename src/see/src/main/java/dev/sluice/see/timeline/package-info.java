/**
 * What has happened to a Workload, as far as its object tells. Start at {@link
 * dev.sluice.see.timeline.Timeline}.
 */
@NullMarked
package dev.sluice.see.timeline;

import org.jspecify.annotations.NullMarked;
