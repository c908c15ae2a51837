/**
 * Leader election: one of several replicas writes. Start with {@link
 * dev.sluice.scheduler.lead.Leadership}.
 */
@NullMarked
package dev.sluice.scheduler.lead;

import org.jspecify.annotations.NullMarked;
