/**
 * What must hold for any object on any admission path, over random ones: {@link
 * dev.sluice.webhook.laws.RandomObjects} draws them.
 */
@NullMarked
package dev.sluice.webhook.laws;

import org.jspecify.annotations.NullMarked;
