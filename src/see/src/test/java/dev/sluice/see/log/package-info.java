/** Tests of the log. */
@NullMarked
package dev.sluice.see.log;

import org.jspecify.annotations.NullMarked;
