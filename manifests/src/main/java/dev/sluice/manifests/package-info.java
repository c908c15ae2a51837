/**
 * What a cluster is given: definitions of the kinds, registration of the webhooks, rights,
 * deployment and samples, packed as YAML and ready to apply. Start at {@link
 * dev.sluice.manifests.Installation}; the definitions are made by {@code
 * dev.sluice.manifests.generate}.
 */
@NullMarked
package dev.sluice.manifests;

import org.jspecify.annotations.NullMarked;
