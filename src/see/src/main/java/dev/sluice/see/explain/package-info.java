/**
 * Why a workload waits, and what would let it in. Start at {@link
 * dev.sluice.see.explain.Explainer}, which asks the engine; {@code Remedies} tries changes on forks
 * of it.
 */
@NullMarked
package dev.sluice.see.explain;

import org.jspecify.annotations.NullMarked;
