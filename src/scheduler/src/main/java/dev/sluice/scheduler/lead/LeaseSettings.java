package dev.sluice.scheduler.lead;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.configuration.RoleSettings;
import java.time.Duration;

/**
 * The leader election.
 *
 * @param namespace where the Lease is
 * @param name its name
 * @param identity the unique name of this replica
 * @param role what the Lease tells of this replica, for those who compare it with admission
 * @param duration how long other replicas wait for a leader that does not renew
 * @param deadline how long a leader that cannot renew keeps leading; less than the duration
 * @param period the time between two attempts
 */
public record LeaseSettings(
    String namespace,
    String name,
    String identity,
    RoleSettings role,
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
