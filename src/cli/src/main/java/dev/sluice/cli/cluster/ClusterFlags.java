package dev.sluice.cli.cluster;

import dev.sluice.cluster.access.AccessEnvironment;
import dev.sluice.cluster.access.ClusterAccess;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say which cluster is meant. */
public final class ClusterFlags {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The cluster and how to log in (default: $KUBECONFIG, then ~/.kube/config, then the"
              + " cluster around this Pod).")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "The context of the kubeconfig (default: its current one).")
  private @Nullable String context;

  /**
   * Connects; nothing is sent yet.
   *
   * @throws dev.sluice.cluster.access.AccessException if no cluster is named, or what is named
   *     cannot be used
   */
  public ApiServer connect() {
    return connectTo(context);
  }

  /** The same, with another context of the same kubeconfig. */
  public ApiServer connect(String other) {
    return connectTo(other);
  }

  /**
   * The cluster, and how to log in.
   *
   * @throws dev.sluice.cluster.access.AccessException as {@link #connect()} does
   */
  public ClusterAccess access() {
    return access(context);
  }

  private ClusterAccess access(@Nullable String named) {
    return ClusterAccess.of(kubeconfig, named, AccessEnvironment.ofThisProcess());
  }

  private ApiServer connectTo(@Nullable String named) {
    return new ApiServer(access(named));
  }

  /** How the cluster is named in commands that are proposed to the user, with a blank before it. */
  public String asArguments() {
    return (kubeconfig == null ? "" : " --kubeconfig " + kubeconfig)
        + (context == null ? "" : " --context " + context);
  }
}
