package dev.sluice.server.register;

import dev.sluice.manifests.Installation;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * A server that registers itself.
 *
 * @param installation how the API server reaches it, and for which kinds
 * @param ready whether it answers now
 * @param reviews how many admission reviews have come from elsewhere since it started
 */
public record SelfRegistration(
    Installation installation, BooleanSupplier ready, LongSupplier reviews) {}
