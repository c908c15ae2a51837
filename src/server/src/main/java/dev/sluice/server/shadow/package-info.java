/**
 * Watches a cluster in which another scheduler decides, and compares its decisions with ours. Reads
 * only.
 */
@NullMarked
package dev.sluice.server.shadow;

import org.jspecify.annotations.NullMarked;
