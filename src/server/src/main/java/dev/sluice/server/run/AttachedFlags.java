package dev.sluice.server.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of attaching to a cluster. */
final class AttachedFlags {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Attach to this cluster: answer its reviews, and schedule for it.")
  @Nullable Path kubeconfig;

  @Option(
      names = "--no-inject",
      description = "With --kubeconfig: leave the CA bundles in the cluster alone.")
  boolean noInject;

  @Option(
      names = "--no-view",
      description =
          "With --kubeconfig: do not serve the dashboard, which takes memory for a view of its"
              + " own.")
  boolean noView;

  @Option(
      names = "--view-port",
      paramLabel = "PORT",
      description =
          "With --kubeconfig: HTTPS port of the dashboard; 0 for any free one (default: as"
              + " visibilityServer.bindPort says, 8082 without a file).")
  @Nullable Integer viewPort;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "Another DNS name or IP address of the server, for its certificate; repeatable.")
  List<String> names = new ArrayList<>();
}
