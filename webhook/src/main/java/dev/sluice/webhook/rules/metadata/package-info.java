/**
 * What Kubernetes asks of labels and annotations, as rules over a {@link
 * dev.sluice.webhook.rules.Field}. Start at {@link dev.sluice.webhook.rules.metadata.LabelRules}.
 */
@NullMarked
package dev.sluice.webhook.rules.metadata;

import org.jspecify.annotations.NullMarked;
