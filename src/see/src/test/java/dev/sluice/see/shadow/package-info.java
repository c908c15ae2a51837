@NullMarked
package dev.sluice.see.shadow;

import org.jspecify.annotations.NullMarked;
