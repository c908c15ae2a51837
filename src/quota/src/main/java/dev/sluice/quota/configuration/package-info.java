/**
 * What the engine is told before it starts, as values: strategies, transformations, feature gates.
 * Start at {@link dev.sluice.quota.configuration.EngineConfiguration}.
 */
@NullMarked
package dev.sluice.quota.configuration;

import org.jspecify.annotations.NullMarked;
