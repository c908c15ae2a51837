/** Counting and checking of answers, and one short run against real servers in this process. */
@NullMarked
package dev.sluice.bench.load;

import org.jspecify.annotations.NullMarked;
