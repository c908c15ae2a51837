package dev.sluice.cluster.access;

import dev.sluice.cluster.access.Renewed.Reading;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The access that a Pod has to the cluster around it. */
final class ServiceAccount {
  private ServiceAccount() {}

  /** Empty outside of a cluster. */
  static Optional<ClusterAccess> access(AccessEnvironment environment) {
    return environment.variable("KUBERNETES_SERVICE_HOST").map(host -> of(host, environment));
  }

  private static ClusterAccess of(String host, AccessEnvironment environment) {
    String port = environment.variable("KUBERNETES_SERVICE_PORT").orElse("443");
    Path folder = environment.serviceAccount();
    PemSource token = new PemSource("service account", folder.resolve("token"), "");
    PemSource authority = new PemSource("service account", folder.resolve("ca.crt"), "");
    return new ClusterAccess(
        server(host, port),
        Renewed.read(
            "the token of the service account",
            () ->
                new Reading<>(
                    new Credential(
                        Optional.of(
                            Credential.bearer(Tokens.checked(token.read(), token::problem))),
                        Optional.empty()),
                    environment.clock().instant().plus(Renewed.FILE_AGE)),
            environment.clock()),
        List.of(),
        ClusterSection.trust(authority, environment),
        true,
        Optional.empty(),
        Optional.empty());
  }

  private static URI server(String host, String port) {
    try {
      return URI.create("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    } catch (IllegalArgumentException _) {
      throw new AccessException(
          "$KUBERNETES_SERVICE_HOST and $KUBERNETES_SERVICE_PORT: %s and %s are no address"
              .formatted(host, port));
    }
  }
}
