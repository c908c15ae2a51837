@NullMarked
package dev.sluice.lifecycle.variant;

import org.jspecify.annotations.NullMarked;
