/**
 * JSON that is parsed lazily. A {@link dev.sluice.json.JsonSlice} is a piece of checked text;
 * opening it gives its members as slices again, and unopened parts are written back byte for byte.
 * Start at {@link dev.sluice.json.Json}.
 */
@NullMarked
package dev.sluice.json;

import org.jspecify.annotations.NullMarked;
