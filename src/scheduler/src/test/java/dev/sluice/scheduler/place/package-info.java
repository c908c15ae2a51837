/** Tests of binding pods to their places. */
@NullMarked
package dev.sluice.scheduler.place;

import org.jspecify.annotations.NullMarked;
