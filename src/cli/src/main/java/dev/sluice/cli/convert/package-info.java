/** The command convert: manifests at another version, offline. */
@NullMarked
package dev.sluice.cli.convert;

import org.jspecify.annotations.NullMarked;
