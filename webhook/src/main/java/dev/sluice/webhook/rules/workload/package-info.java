/**
 * The rules for a Workload: its spec, its status, and how both may change while it holds quota.
 * Start at {@link dev.sluice.webhook.rules.workload.WorkloadRules}.
 */
@NullMarked
package dev.sluice.webhook.rules.workload;

import org.jspecify.annotations.NullMarked;
