/**
 * The HTTPS server that an API server calls. Start at {@link dev.sluice.webhook.WebhookServer};
 * {@code server} reads and answers requests, {@code endpoint} computes the answers, and {@code
 * rules} has the admission rules. An operator of its own starts the server with {@link
 * dev.sluice.webhook.ServerContext#ofOperator} and registers it by {@link
 * dev.sluice.webhook.WebhookRegistration}; see docs/tasks/embed.md.
 */
@NullMarked
package dev.sluice.webhook;

import org.jspecify.annotations.NullMarked;
