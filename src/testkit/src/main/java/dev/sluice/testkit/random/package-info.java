/**
 * Random objects: valid ones drawn from a schema, and wild edits that no schema allows. The same
 * seed gives the same object.
 *
 * <p>Start reading at {@link dev.sluice.testkit.random.SchemaObjects}; {@link
 * dev.sluice.testkit.random.Mutations} makes them wild.
 */
@NullMarked
package dev.sluice.testkit.random;

import org.jspecify.annotations.NullMarked;
