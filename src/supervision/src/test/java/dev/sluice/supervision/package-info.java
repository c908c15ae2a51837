/** Tests of the supervision of threads. */
@NullMarked
package dev.sluice.supervision;

import org.jspecify.annotations.NullMarked;
