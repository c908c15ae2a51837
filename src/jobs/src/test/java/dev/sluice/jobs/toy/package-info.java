/**
 * A kind of jobs that the product does not have, as small as a kind can be. {@code NewKindTest}
 * adds it to the registry.
 */
@org.jspecify.annotations.NullMarked
package dev.sluice.jobs.toy;
