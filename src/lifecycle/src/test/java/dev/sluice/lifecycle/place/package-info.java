/** Tests of binding pods to their places. */
@NullMarked
package dev.sluice.lifecycle.place;

import org.jspecify.annotations.NullMarked;
