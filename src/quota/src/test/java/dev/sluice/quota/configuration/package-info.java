/** What the engine takes out of a configuration. */
@NullMarked
package dev.sluice.quota.configuration;

import org.jspecify.annotations.NullMarked;
