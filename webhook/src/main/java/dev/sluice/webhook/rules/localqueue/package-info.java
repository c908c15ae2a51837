/**
 * The rules for a LocalQueue. Start at {@link dev.sluice.webhook.rules.localqueue.LocalQueueRules}.
 */
@NullMarked
package dev.sluice.webhook.rules.localqueue;

import org.jspecify.annotations.NullMarked;
