package dev.sluice.cli.cluster;

import static java.util.stream.Collectors.joining;

import dev.sluice.cluster.access.AccessEnvironment;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.server.wiring.TimeConverter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

  @Option(
      names = "--as",
      paramLabel = "USER",
      description = "The user to act as, if you have the right to impersonate.")
  private @Nullable String user;

  @Option(
      names = "--as-group",
      paramLabel = "GROUP",
      description = "A group of the user to act as; may be given several times.")
  private @Nullable List<String> groups;

  @Option(
      names = "--request-timeout",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description =
          "The longest time for one answer of the API server, such as 30s; 0 for the time of the"
              + " command, which is also the longest (default: 0).")
  private @Nullable Duration timeout;

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
    ClusterAccess access = ClusterAccess.of(kubeconfig, named, AccessEnvironment.ofThisProcess());
    return user == null && groups().isEmpty() ? access : access.actingAs(user, groups());
  }

  private List<String> groups() {
    return groups == null ? List.of() : groups;
  }

  private ApiServer connectTo(@Nullable String named) {
    return new ApiServer(access(named), timeout == null ? Duration.ZERO : timeout);
  }

  /**
   * The namespace of what is named without one: that of the context, else {@code default}.
   *
   * @throws dev.sluice.cluster.access.AccessException as {@link #connect()} does
   */
  public String namespace() {
    return ClusterAccess.namespace(kubeconfig, context, AccessEnvironment.ofThisProcess())
        .orElse("default");
  }

  /** How the cluster is named in commands that are proposed to the user, with a blank before it. */
  public String asArguments() {
    return (kubeconfig == null ? "" : " --kubeconfig " + kubeconfig)
        + (context == null ? "" : " --context " + context)
        + (user == null ? "" : " --as " + user)
        + groups().stream().map(" --as-group "::concat).collect(joining());
  }
}
