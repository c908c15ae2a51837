/**
 * What an operator sets: the Configuration file of {@code config.kueue.x-k8s.io} as records, with
 * defaults and feature gates, and our own Extensions beside it. Start at {@link
 * dev.sluice.api.configuration.ConfigurationReader}; {@link
 * dev.sluice.api.configuration.Configuration} is what comes out.
 */
@NullMarked
package dev.sluice.api.configuration;

import org.jspecify.annotations.NullMarked;
