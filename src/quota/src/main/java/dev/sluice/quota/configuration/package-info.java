/**
 * The configuration of the engine as values: strategies, transformations, feature gates. Start at
 * {@link dev.sluice.quota.configuration.EngineConfiguration}.
 */
@NullMarked
package dev.sluice.quota.configuration;

import org.jspecify.annotations.NullMarked;
