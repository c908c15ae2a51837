/**
 * The law of conversion without loss: a value that the other version cannot express is stored in an
 * annotation and restored from it, unless the field it stands for was changed. Start at {@link
 * dev.sluice.conversion.law.VersionStep}; a difference between two versions is a {@link
 * dev.sluice.conversion.law.FieldConversion}.
 */
@NullMarked
package dev.sluice.conversion.law;

import org.jspecify.annotations.NullMarked;
