/**
 * The objects of files, and the view of the cluster that would be if they were applied. Start at
 * {@link dev.sluice.cli.objects.ManifestObjects}.
 */
@NullMarked
package dev.sluice.cli.objects;

import org.jspecify.annotations.NullMarked;
