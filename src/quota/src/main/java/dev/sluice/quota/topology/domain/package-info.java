/** The nodes of a flavor as a forest of topology domains. */
@NullMarked
package dev.sluice.quota.topology.domain;

import org.jspecify.annotations.NullMarked;
