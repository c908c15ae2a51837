package dev.sluice.scheduler.lead;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.configuration.RoleSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The leader election.
 *
 * @param namespace where the Lease is
 * @param name its name
 * @param identity the unique name of this replica
 * @param role the settings of this replica, which the Lease shows; null for a Lease that shows none
 * @param duration how long other replicas wait for a leader that does not renew
 * @param deadline how long a leader that cannot renew keeps leading; less than the duration
 * @param period the time between two attempts
 */
public record LeaseSettings(
    String namespace,
    String name,
    String identity,
    @Nullable RoleSettings role,
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
