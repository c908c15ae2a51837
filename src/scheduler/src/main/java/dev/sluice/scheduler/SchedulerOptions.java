package dev.sluice.scheduler;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.scheduler.lead.LeaseSettings;
import dev.sluice.scheduler.recorder.RecordingOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * How a scheduler runs.
 *
 * @param configuration the operator's Configuration
 * @param extensions the settings that only Sluice has
 * @param identity the name of this replica
 * @param lease how replicas agree on who leads; empty where there is only this one
 * @param writers how many objects are written at a time
 * @param watching how patient its view is
 * @param passesApart the least time between two writes to the status of a queue
 * @param recording where decisions are recorded; empty where they are not
 */
public record SchedulerOptions(
    Configuration configuration,
    Extensions extensions,
    String identity,
    Optional<LeaseSettings> lease,
    int writers,
    WatchTimes watching,
    Duration passesApart,
    Optional<RecordingOptions> recording) {
  /** What suits an API server of moderate size. */
  public static final int WRITERS = 32;

  /** As often as people look. */
  public static final Duration APART = Duration.ofMillis(500);

  /** The same without a recording. */
  public SchedulerOptions(
      Configuration configuration,
      Extensions extensions,
      String identity,
      Optional<LeaseSettings> lease,
      int writers,
      WatchTimes watching,
      Duration passesApart) {
    this(
        configuration,
        extensions,
        identity,
        lease,
        writers,
        watching,
        passesApart,
        Optional.empty());
  }

  public SchedulerOptions {
    requireNonNull(configuration, "configuration");
    requireNonNull(lease, "lease");
    if (writers < 1) {
      throw new IllegalArgumentException("writers: " + writers + " (expected: at least 1)");
    }
  }
}
