package dev.sluice.server.see;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * The authorities that extension API servers trust, as the ConfigMap {@code
 * kube-system/extension-apiserver-authentication} says. Immutable.
 *
 * @param frontProxy speaks for other users; empty where the API server has none
 * @param clients users with certificates; empty where the API server knows none
 */
record Authentication(Optional<FrontProxy> frontProxy, Optional<TrustedClients> clients) {
  private static final String CLIENTS = "client-ca-file";

  /**
   * What the ConfigMap says.
   *
   * @throws IllegalArgumentException naming the member, if it cannot be read
   */
  static Authentication of(JsonNode configMap) {
    String pem = configMap.path("data").path(CLIENTS).asText("");
    return new Authentication(
        FrontProxy.of(configMap),
        pem.isEmpty() ? Optional.empty() : Optional.of(TrustedClients.of(CLIENTS, pem)));
  }
}
