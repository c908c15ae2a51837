/** What a run of load is made of, and how it is counted. */
@NullMarked
package dev.sluice.bench.flow;

import org.jspecify.annotations.NullMarked;
