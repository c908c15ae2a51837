/** Finds and reads the manifests that a command is given: files, folders, standard input. */
@NullMarked
package dev.sluice.cli.manifest;

import org.jspecify.annotations.NullMarked;
