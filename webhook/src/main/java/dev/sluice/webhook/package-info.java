/**
 * The HTTPS server that an API server calls. Start at {@link dev.sluice.webhook.WebhookServer};
 * {@code server} reads and answers requests, {@code endpoint} computes the answers, and {@code
 * rules} has the admission rules.
 */
@NullMarked
package dev.sluice.webhook;

import org.jspecify.annotations.NullMarked;
