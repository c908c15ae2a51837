/**
 * Holds the records of the hub version against the definitions that a cluster gets. Start at {@link
 * dev.sluice.manifests.records.HubRecordsTest}.
 */
@NullMarked
package dev.sluice.manifests.records;

import org.jspecify.annotations.NullMarked;
