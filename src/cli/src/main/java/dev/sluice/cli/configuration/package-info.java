/**
 * The configuration file of the peer, {@code config.kueue.x-k8s.io}, as settings of the engine.
 * Start at {@link dev.sluice.cli.configuration.ConfigurationFile}.
 */
@NullMarked
package dev.sluice.cli.configuration;

import org.jspecify.annotations.NullMarked;
