/**
 * Rules about objects that name other objects of the cluster. They only ever warn: an object may
 * come before the one it names. Start at {@link dev.sluice.webhook.rules.references.References}.
 */
@NullMarked
package dev.sluice.webhook.rules.references;

import org.jspecify.annotations.NullMarked;
