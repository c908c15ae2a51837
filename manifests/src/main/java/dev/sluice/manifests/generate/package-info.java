/**
 * Makes the CustomResourceDefinitions from the kind files in {@code src/kinds}: a kind is written
 * down once, and what differs between its versions is said where it differs. Start at {@link
 * dev.sluice.manifests.generate.Generate}; the form of the files is explained in the module's
 * README.
 */
@NullMarked
package dev.sluice.manifests.generate;

import org.jspecify.annotations.NullMarked;
