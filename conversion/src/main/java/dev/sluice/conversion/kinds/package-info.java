/**
 * What differs between the versions of each kind, one file a kind. Start at {@link
 * dev.sluice.conversion.kinds.Steps}.
 */
@NullMarked
package dev.sluice.conversion.kinds;

import org.jspecify.annotations.NullMarked;
