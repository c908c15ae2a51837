/**
 * What a webhook server writes about itself into the cluster: the CA bundle by which it is trusted,
 * and, where it registers itself, its webhook configurations. Start at {@link
 * dev.sluice.server.register.ClusterPublisher}; {@link dev.sluice.server.register.RegistrationPlan}
 * decides, and writes nothing.
 */
@NullMarked
package dev.sluice.server.register;

import org.jspecify.annotations.NullMarked;
