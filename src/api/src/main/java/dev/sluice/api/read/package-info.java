/** From the JSON of an object to its record. Start at {@link dev.sluice.api.read.HubObjects}. */
@NullMarked
package dev.sluice.api.read;

import org.jspecify.annotations.NullMarked;
