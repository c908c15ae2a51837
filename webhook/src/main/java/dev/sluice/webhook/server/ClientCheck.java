package dev.sluice.webhook.server;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Set;

/**
 * Which clients may send reviews: those with a client certificate.
 *
 * @param authorities a file in PEM with the certificates of the authorities; read again when it
 *     changes
 * @param names the allowed common names; all if empty
 * @param conversions whether conversions need a certificate, too. An API server can present a
 *     client certificate to admission webhooks, but not to conversion webhooks
 */
public record ClientCheck(Path authorities, Set<String> names, boolean conversions) {
  public ClientCheck {
    requireNonNull(authorities, "authorities");
    names = Set.copyOf(names);
  }
}
