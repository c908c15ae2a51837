package dev.sluice.server.install;

import dev.sluice.manifests.Monitoring;
import java.util.Map;
import picocli.CommandLine.Option;

/** What a Prometheus operator gets. A group: the label has no meaning without the other. */
final class MonitoringFlags {
  @Option(
      names = "--monitoring",
      required = true,
      description =
          "Also PodMonitors and alerts for the Prometheus operator, and dashboards for Grafana.")
  private boolean monitoring;

  @Option(
      names = "--monitoring-label",
      paramLabel = "KEY=VALUE",
      description =
          "With --monitoring: a label for PodMonitors and alerts, by which your Prometheus selects"
              + " them, such as release=prometheus. May be repeated.")
  private Map<String, String> labels = Map.of();

  /**
   * The choice.
   *
   * @throws IllegalArgumentException if a label is none that the API server takes
   */
  Monitoring chosen() {
    return monitoring ? new Monitoring(true, labels) : Monitoring.NONE;
  }
}
