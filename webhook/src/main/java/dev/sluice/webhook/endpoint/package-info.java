/**
 * What is answered on each path: conversions and admission reviews. Start at {@link
 * dev.sluice.webhook.endpoint.Endpoint}.
 */
@NullMarked
package dev.sluice.webhook.endpoint;

import org.jspecify.annotations.NullMarked;
