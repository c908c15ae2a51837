/**
 * Expressions in the Common Expression Language (CEL) as selectors of devices have them. Start at
 * {@link dev.sluice.api.cel.CelExpression}.
 */
@NullMarked
package dev.sluice.api.cel;

import org.jspecify.annotations.NullMarked;
