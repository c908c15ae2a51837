/**
 * What an operator chose that rules must know: which jobs are managed, where, and which features
 * are on. Start with {@link dev.sluice.webhook.settings.Settings}.
 */
@NullMarked
package dev.sluice.webhook.settings;

import org.jspecify.annotations.NullMarked;
