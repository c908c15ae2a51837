/** Tests of the controllers over objects in memory. */
@NullMarked
package dev.sluice.lifecycle.memory;

import org.jspecify.annotations.NullMarked;
