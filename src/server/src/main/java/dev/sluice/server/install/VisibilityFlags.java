package dev.sluice.server.install;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.manifests.VisibilityServer;
import picocli.CommandLine.Option;

/** What is chosen for the server of the visibility API beside its configuration. */
final class VisibilityFlags {
  @Option(
      names = "--no-auth-reader",
      description =
          "Leave out the RoleBinding in kube-system that the server of the visibility API needs;"
              + " somebody else has to apply it.")
  private boolean noAuthReader;

  @Option(
      names = "--visibility-apf",
      description =
          "Also a FlowSchema and a priority level, by which the API server bounds the requests to"
              + " the visibility API.")
  private boolean isBounded;

  @Option(
      names = "--forecast-annotations",
      description =
          "Let the server of the visibility API write forecasts to Workloads that wait, as the"
              + " annotation sluice.dev/forecast, and give it the rights for that.")
  private boolean annotates;

  /** The server by these flags and that configuration. */
  VisibilityServer chosen(Configuration configuration) {
    if (!configuration.featureGates().isOn(FeatureGate.VISIBILITY_ON_DEMAND)) {
      return VisibilityServer.NONE;
    }
    VisibilityServer server =
        VisibilityServer.DEFAULT.on(configuration.manager().visibility().bindPort());
    server = noAuthReader ? server.withoutAuthReader() : server;
    server = isBounded ? server.bounded() : server;
    return annotates ? server.annotating() : server;
  }
}
