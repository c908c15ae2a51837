package dev.sluice.cluster.access;

import dev.sluice.certs.ClientCertificate;
import java.util.Optional;

/**
 * What a user shows an API server at a moment.
 *
 * @param authorization the value of the header Authorization; empty for none
 * @param certificate the client certificate; empty for none
 */
record Credential(Optional<String> authorization, Optional<ClientCertificate> certificate) {
  static String bearer(String token) {
    return "Bearer " + token;
  }

  /** Names no secret. */
  @Override
  public String toString() {
    return "Credential[%s, %s]"
        .formatted(authorization.isPresent() ? "a token" : "no token", certificate);
  }
}
