/**
 * The kinds of {@code kueue.x-k8s.io}: their names, versions and the values their fields are made
 * of. Start at {@link dev.sluice.api.ApiKind}.
 */
@NullMarked
package dev.sluice.api;

import org.jspecify.annotations.NullMarked;
