/**
 * The one law by which nothing is lost: what the other version cannot say is noted in an annotation
 * and comes back from it, as long as nobody changed what it stands for. Start at {@link
 * dev.sluice.conversion.law.VersionStep}; a difference between two versions is a {@link
 * dev.sluice.conversion.law.FieldConversion}.
 */
@NullMarked
package dev.sluice.conversion.law;

import org.jspecify.annotations.NullMarked;
