/** What ClusterQueues and Workloads refer to by name, and whether a ClusterQueue can take part. */
@NullMarked
package dev.sluice.quota.inventory;

import org.jspecify.annotations.NullMarked;
