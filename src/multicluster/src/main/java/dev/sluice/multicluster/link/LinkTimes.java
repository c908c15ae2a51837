package dev.sluice.multicluster.link;

import java.time.Duration;

/**
 * The timeouts and intervals of links.
 *
 * @param probe how long a single question to a worker may take
 * @param loss how long the watch of Workloads may be broken before the link counts as lost
 * @param connecting how often an attempt under way is looked at
 * @param connected how often a connection is looked at
 * @param files how often a kubeconfig in a file is read
 */
public record LinkTimes(
    Duration probe, Duration loss, Duration connecting, Duration connected, Duration files) {
  /** The values for production. */
  public static final LinkTimes DEFAULT =
      new LinkTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofMillis(500));
}
