package dev.sluice.webhook.server;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Set;

/**
 * Who may ask for reviews: those with a client certificate.
 *
 * @param authorities a file in PEM with the certificates of the authorities; read again when it
 *     changes
 * @param names the common names that are let in; all if empty
 * @param conversions whether conversions are asked for it, too. An API server has a way to show a
 *     certificate when it calls for admission, and none when it calls for conversion
 */
public record ClientCheck(Path authorities, Set<String> names, boolean conversions) {
  public ClientCheck {
    requireNonNull(authorities, "authorities");
    names = Set.copyOf(names);
  }
}
