/** What workloads use of the domains, and how many more pods each domain can hold. */
@NullMarked
package dev.sluice.quota.topology.capacity;

import org.jspecify.annotations.NullMarked;
