/** Specifications of the package of the same name that need a running control plane. */
@NullMarked
package dev.sluice.controlplane;

import org.jspecify.annotations.NullMarked;
