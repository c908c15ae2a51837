/**
 * JSON that is opened only where somebody looks. A {@link dev.sluice.json.JsonSlice} is a piece of
 * checked text; opening it gives its members as slices again, and what nobody opened is written
 * back byte for byte. Start at {@link dev.sluice.json.Json}.
 */
@NullMarked
package dev.sluice.json;

import org.jspecify.annotations.NullMarked;
