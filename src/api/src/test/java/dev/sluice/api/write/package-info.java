/** What writes do to objects. */
@NullMarked
package dev.sluice.api.write;

import org.jspecify.annotations.NullMarked;
