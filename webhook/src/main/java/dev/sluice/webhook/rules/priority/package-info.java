/**
 * The rules for a WorkloadPriorityClass. Start at {@link
 * dev.sluice.webhook.rules.priority.WorkloadPriorityClassRules}.
 */
@NullMarked
package dev.sluice.webhook.rules.priority;

import org.jspecify.annotations.NullMarked;
