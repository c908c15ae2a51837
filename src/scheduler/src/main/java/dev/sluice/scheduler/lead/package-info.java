/**
 * Who of several replicas is the one that writes. Start with {@link
 * dev.sluice.scheduler.lead.Leadership}.
 */
@NullMarked
package dev.sluice.scheduler.lead;

import org.jspecify.annotations.NullMarked;
