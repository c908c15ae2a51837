/** The flags that name manifests, and documents read as trees. */
@NullMarked
package dev.sluice.cli.manifest;

import org.jspecify.annotations.NullMarked;
