/**
 * What Kubernetes asks of labels and annotations, as rules over a {@link dev.sluice.rules.Field}.
 * Start at {@link dev.sluice.rules.metadata.LabelRules}.
 */
@NullMarked
package dev.sluice.rules.metadata;

import org.jspecify.annotations.NullMarked;
