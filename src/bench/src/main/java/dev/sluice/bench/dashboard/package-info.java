/** The dashboard in a real browser, and many that are open at the same time. */
@NullMarked
package dev.sluice.bench.dashboard;

import org.jspecify.annotations.NullMarked;
