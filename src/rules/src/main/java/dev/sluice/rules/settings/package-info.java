/**
 * The operator's settings for rules: which jobs are managed, where, and which features are on.
 * Start with {@link dev.sluice.rules.settings.Settings}.
 */
@NullMarked
package dev.sluice.rules.settings;

import org.jspecify.annotations.NullMarked;
