/**
 * What the engine answers, as values with reasons in numbers and names. Start at {@link
 * dev.sluice.quota.decision.Decision}.
 */
@NullMarked
package dev.sluice.quota.decision;

import org.jspecify.annotations.NullMarked;
