/**
 * The objects of files, and the view of the cluster that would be if they were applied. Start at
 * {@link dev.sluice.server.objects.ManifestObjects}.
 */
@NullMarked
package dev.sluice.server.objects;

import org.jspecify.annotations.NullMarked;
