/** For how long a leader leads. */
@NullMarked
package dev.sluice.scheduler.lead;

import org.jspecify.annotations.NullMarked;
