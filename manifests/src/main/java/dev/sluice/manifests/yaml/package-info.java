/** Reading YAML as trees of Jackson, whose documents are objects. */
@NullMarked
package dev.sluice.manifests.yaml;

import org.jspecify.annotations.NullMarked;
