/**
 * The server of the visibility API, behind the aggregation layer of an API server. Start at {@link
 * dev.sluice.server.see.SeeServer}.
 */
@NullMarked
package dev.sluice.server.see;

import org.jspecify.annotations.NullMarked;
