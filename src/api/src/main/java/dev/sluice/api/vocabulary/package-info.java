/**
 * Every name of the API that is text in an object: labels, annotations, finalizers, scheduling
 * gates, names of controllers, condition types and reasons. Each stands here once; a test in {@code
 * src/cli} fails when a file of another module spells one. Start with {@link
 * dev.sluice.api.vocabulary.Labels} and {@link dev.sluice.api.vocabulary.ConditionTypes}.
 */
@NullMarked
package dev.sluice.api.vocabulary;

import org.jspecify.annotations.NullMarked;
