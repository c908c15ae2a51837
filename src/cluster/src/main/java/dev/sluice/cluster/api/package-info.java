/**
 * Calls to an API server: answers of bounded size, and streams of watch events. Start at {@link
 * dev.sluice.cluster.api.Connection}.
 */
@NullMarked
package dev.sluice.cluster.api;

import org.jspecify.annotations.NullMarked;
