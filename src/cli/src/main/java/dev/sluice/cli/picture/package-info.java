/**
 * Pictures of the use of quota over time, as SVG. Start at {@link dev.sluice.cli.picture.UsageSvg}.
 */
@NullMarked
package dev.sluice.cli.picture;

import org.jspecify.annotations.NullMarked;
