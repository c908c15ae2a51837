/**
 * JSON as it was spelled: trees that keep the order of keys and the digits of numbers, which
 * ordinary JSON libraries normalise away.
 *
 * <p>Start reading at {@link dev.sluice.testkit.json.SpelledJson}.
 */
@NullMarked
package dev.sluice.testkit.json;

import org.jspecify.annotations.NullMarked;
