package dev.sluice.scheduler.lead;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How replicas agree on who leads.
 *
 * @param namespace where the Lease is
 * @param name its name
 * @param identity who we are; no other replica may have it
 * @param duration how long others wait for a leader that is silent
 * @param deadline how long a leader that cannot renew goes on; less than the duration
 * @param period how often it is tried
 */
public record LeaseSettings(
    String namespace,
    String name,
    String identity,
    Duration duration,
    Duration deadline,
    Duration period) {
  public LeaseSettings {
    requireNonNull(identity, "identity");
    if (deadline.compareTo(duration) >= 0) {
      throw new IllegalArgumentException(
          "renewDeadline: " + deadline + " (expected: less than leaseDuration, " + duration + ")");
    }
  }
}
