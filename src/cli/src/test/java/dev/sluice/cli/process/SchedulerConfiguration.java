package dev.sluice.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A Configuration under which a scheduler that ended is followed by another within seconds. */
public final class SchedulerConfiguration {
  private SchedulerConfiguration() {}

  /**
   * Writes it to a file in that folder.
   *
   * @param leaseSeconds how long a leader that is not heard of still counts as one
   * @param more further lines of the Configuration
   */
  public static Path write(Path folder, int leaseSeconds, String more) throws IOException {
    return Files.writeString(
        Files.createTempFile(folder, "configuration", ".yaml"),
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        leaderElection:
          leaderElect: true
          leaseDuration: %ds
          renewDeadline: %ds
          retryPeriod: 500ms
        """
                .formatted(leaseSeconds, leaseSeconds * 3 / 4)
            + more);
  }
}
