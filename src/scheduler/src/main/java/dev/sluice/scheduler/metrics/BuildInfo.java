package dev.sluice.scheduler.metrics;

import java.util.Locale;

/** The build information, with our version in the metric that Kueue's dashboards use. */
final class BuildInfo {
  private static final MetricDefinition BUILD =
      MetricDefinition.constant(
          "kueue_build_info",
          "1: the version of Sluice, as git_version, and the Java that it runs on, as compiler",
          "git_version",
          "git_commit",
          "build_date",
          "go_version",
          "compiler",
          "platform");

  private BuildInfo() {}

  static void measure(Rows rows) {
    String version = BuildInfo.class.getPackage().getImplementationVersion();
    rows.add(
        BUILD,
        1,
        version == null ? "(development)" : version,
        "",
        "",
        "",
        "Java " + Runtime.version(),
        platform());
  }

  private static String platform() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    return system + "/" + System.getProperty("os.arch", "");
  }
}
