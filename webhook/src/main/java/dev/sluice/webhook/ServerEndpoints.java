package dev.sluice.webhook;

import dev.sluice.json.JsonSyntax;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.ReviewContext;
import dev.sluice.webhook.endpoint.ConversionEndpoint;
import dev.sluice.webhook.endpoint.ConversionMeters;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.GuardEndpoint;
import dev.sluice.webhook.endpoint.MutationEndpoint;
import dev.sluice.webhook.endpoint.SelfProbeEndpoint;
import dev.sluice.webhook.endpoint.ValidationEndpoint;
import dev.sluice.webhook.guard.PodGuard;
import dev.sluice.webhook.server.Bounds;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server answers: conversions, the reviews of each kind, the pod guard, and its own probe.
 */
final class ServerEndpoints {
  private ServerEndpoints() {}

  /** The endpoints for API servers, measured by that registry. */
  static List<Endpoint> of(ServerOptions options, ServerContext context, MeterRegistry registry) {
    Bounds bounds = options.bounds();
    boolean callersAreKnown = options.clients().isPresent();
    ReviewContext world = callersAreKnown ? context.world().ofKnownCallers() : context.world();
    JsonSyntax syntax = new JsonSyntax(bounds.json());
    List<Endpoint> endpoints = new ArrayList<>();
    endpoints.add(conversions(context, bounds, syntax, registry));
    for (KindRules kind : context.rules().kinds()) {
      if (!kind.defaultedOn().isEmpty()) {
        endpoints.add(new MutationEndpoint(kind, world, syntax, registry));
      }
      endpoints.add(new ValidationEndpoint(kind, world, syntax, registry));
    }
    if (context.ownKinds().isEmpty()) {
      PodGuard guard =
          new PodGuard(world, context.jobs(), callersAreKnown, System::nanoTime, registry);
      endpoints.add(new GuardEndpoint(guard, world, syntax, registry));
    }
    return endpoints;
  }

  private static Endpoint conversions(
      ServerContext context, Bounds bounds, JsonSyntax syntax, MeterRegistry registry) {
    ConversionMeters meters = new ConversionMeters(registry);
    long longest = bounds.maxAnswerBytes();
    return context
        .ownKinds()
        .map(it -> new ConversionEndpoint(it, syntax, longest, meters, System::nanoTime))
        .orElseGet(() -> new ConversionEndpoint(syntax, longest, meters, System::nanoTime));
  }

  /** Answers the server's own probe; its conversions are not measured. */
  static Endpoint selfProbe(Bounds bounds) {
    return new SelfProbeEndpoint(
        new ConversionEndpoint(
            new JsonSyntax(bounds.json()),
            bounds.maxAnswerBytes(),
            new ConversionMeters(new SimpleMeterRegistry()),
            System::nanoTime));
  }
}
