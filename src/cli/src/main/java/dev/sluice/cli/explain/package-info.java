/**
 * The command explain: why a workload waits, and what would let it in. Start at {@link
 * dev.sluice.cli.explain.Explainer}, which asks the engine; {@code Remedies} tries changes on it.
 */
@NullMarked
package dev.sluice.cli.explain;

import org.jspecify.annotations.NullMarked;
