/** How far a workload is, in one word. */
@NullMarked
package dev.sluice.see.phase;

import org.jspecify.annotations.NullMarked;
