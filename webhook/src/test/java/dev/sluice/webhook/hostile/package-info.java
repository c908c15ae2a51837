/** A server of its own process beside callers that aim at its memory. */
@NullMarked
package dev.sluice.webhook.hostile;

import org.jspecify.annotations.NullMarked;
