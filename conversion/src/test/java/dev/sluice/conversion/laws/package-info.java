/**
 * The laws that hold for every object in every direction, tried on drawn ones. Start at {@link
 * dev.sluice.conversion.laws.ConversionLawsTest}.
 */
@NullMarked
package dev.sluice.conversion.laws;

import org.jspecify.annotations.NullMarked;
