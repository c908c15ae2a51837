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
      names = "--name",
      paramLabel = "NAME",
      description =
          "Another DNS name or IP address of the server, for its certificate; repeatable.")
  List<String> names = new ArrayList<>();
}
