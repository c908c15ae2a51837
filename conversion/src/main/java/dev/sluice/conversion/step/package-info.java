/**
 * Steps from one version to the next, without loss: a value that the other version cannot express
 * is stored in an annotation and restored from it, unless the field it stands for was changed.
 * Start at {@link dev.sluice.conversion.step.KindVersions}, whose parts are {@link
 * dev.sluice.conversion.step.VersionStep}s; a difference between two versions is a {@link
 * dev.sluice.conversion.step.FieldConversion}.
 */
@NullMarked
package dev.sluice.conversion.step;

import org.jspecify.annotations.NullMarked;
