/** Tests of reading manifests. */
@NullMarked
package dev.sluice.json.yaml;

import org.jspecify.annotations.NullMarked;
