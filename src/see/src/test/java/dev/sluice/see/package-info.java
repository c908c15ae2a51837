@NullMarked
package dev.sluice.see;

import org.jspecify.annotations.NullMarked;
