package dev.sluice.certs;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far an authority has come; each stage is followed by the next, and none is left out. */
public enum AuthorityStage {
  /** It is published, and does not sign yet. */
  INTRODUCED,
  /** All servers ask it for their certificates. */
  SIGNING,
  /** It is published for the certificates that it signed. Its key is gone. */
  RETIRED,
  /** It is taken out of bundles. It is remembered so that every server knows that. */
  WITHDRAWN;

  /** Whether an authority that has come so far still needs its key. */
  boolean hasKey() {
    return this == INTRODUCED || this == SIGNING;
  }

  /**
   * The stage of that name.
   *
   * @param name as {@link #toString} writes it, or in capitals; empty if there is no such stage
   */
  static Optional<AuthorityStage> of(String name) {
    return Arrays.stream(values()).filter(it -> it.name().equalsIgnoreCase(name)).findFirst();
  }

  /** As in metrics, reports, and annotations. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
