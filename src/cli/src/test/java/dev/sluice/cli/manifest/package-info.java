/** Tests of the manifests that commands read. */
@NullMarked
package dev.sluice.cli.manifest;

import org.jspecify.annotations.NullMarked;
