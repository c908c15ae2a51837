/** The command validate: the admission rules on manifests, offline. */
@NullMarked
package dev.sluice.cli.validate;

import org.jspecify.annotations.NullMarked;
