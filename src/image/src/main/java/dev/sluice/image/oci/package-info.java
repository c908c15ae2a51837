/** OCI images as archives: deterministic layers, configuration, manifest and index. */
@NullMarked
package dev.sluice.image.oci;

import org.jspecify.annotations.NullMarked;
