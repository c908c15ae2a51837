/**
 * The laws that hold for every object in every direction, tried on drawn ones. Start at {@link
 * dev.sluice.conversion.steps.ConversionLawsTest}.
 */
@NullMarked
package dev.sluice.conversion.steps;

import org.jspecify.annotations.NullMarked;
