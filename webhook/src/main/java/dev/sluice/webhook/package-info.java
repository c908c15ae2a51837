/**
 * The HTTPS server that an API server calls: what it serves, and how it is put together. Start at
 * {@link dev.sluice.webhook.WebhookServer}; how a request is read and answered is in {@code
 * server}, what is answered in {@code endpoint}, and what is allowed in {@code rules}.
 */
@NullMarked
package dev.sluice.webhook;

import org.jspecify.annotations.NullMarked;
