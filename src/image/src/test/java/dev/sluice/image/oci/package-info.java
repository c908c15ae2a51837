/** Tests of the archive's bytes, by the system's own tar where it matters that others read it. */
@NullMarked
package dev.sluice.image.oci;

import org.jspecify.annotations.NullMarked;
