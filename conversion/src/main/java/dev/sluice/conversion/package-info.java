/**
 * Conversion of objects between the versions of their kind, without loss: values in, values out, no
 * clock, no thread, no I/O. Start at {@link dev.sluice.conversion.Converter}; what differs between
 * versions stands in {@code kinds}, the law that makes every difference reversible in {@code step}.
 * Who converts kinds of another group gives the converter a {@link
 * dev.sluice.conversion.step.KindVersions} for each.
 */
@NullMarked
package dev.sluice.conversion;

import org.jspecify.annotations.NullMarked;
