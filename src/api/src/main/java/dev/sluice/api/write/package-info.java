/**
 * What controllers write to the API server, as data: planners return {@link
 * dev.sluice.api.write.Write}s, and the module of the cluster sends them.
 */
@NullMarked
package dev.sluice.api.write;

import org.jspecify.annotations.NullMarked;
