/**
 * Requests in, answers out, within bounds: reading bodies, shedding load, deadlines, health. Knows
 * nothing of what is in a body. Start at {@link dev.sluice.webhook.server.RequestRouter}.
 */
@NullMarked
package dev.sluice.webhook.server;

import org.jspecify.annotations.NullMarked;
