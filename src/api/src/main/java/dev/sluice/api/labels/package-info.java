/**
 * Choosing objects by their labels, as Kubernetes does. Start at {@link
 * dev.sluice.api.labels.LabelSelector}.
 */
@NullMarked
package dev.sluice.api.labels;

import org.jspecify.annotations.NullMarked;
