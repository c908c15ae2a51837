package dev.sluice.cli.cluster;

import static dev.sluice.cli.cluster.ClusterException.Reason.NO_CONFIG;

import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say which cluster is meant. */
public final class ClusterFlags {
  private static final int CONNECT_MILLIS = 5_000;

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
   * @throws ClusterException with reason NO_CONFIG if no cluster is named
   */
  public ApiServer connect() {
    Config config = config();
    config.setConnectionTimeout(CONNECT_MILLIS);
    return new ApiServer(config);
  }

  /** How the cluster is named in commands that are proposed to the user, with a blank before it. */
  public String asArguments() {
    return (kubeconfig == null ? "" : " --kubeconfig " + kubeconfig)
        + (context == null ? "" : " --context " + context);
  }

  private Config config() {
    if (kubeconfig != null && !Files.isReadable(kubeconfig)) {
      throw new ClusterException(NO_CONFIG, "--kubeconfig: " + kubeconfig + " cannot be read");
    }
    try {
      Config config =
          kubeconfig == null
              ? Config.autoConfigure(context)
              : Config.fromKubeconfig(context, kubeconfig.toFile());
      return checked(config);
    } catch (ClusterException e) {
      throw e;
    } catch (RuntimeException e) { // the library has many ways to say that a file is no kubeconfig
      String file = kubeconfig == null ? "the kubeconfig" : kubeconfig.toString();
      throw new ClusterException(
          NO_CONFIG, file + " cannot be used: " + String.valueOf(e.getMessage()), e);
    }
  }

  private Config checked(Config config) {
    if (context != null
        && config.getContexts().stream().noneMatch(named -> context.equals(named.getName()))) {
      throw new ClusterException(NO_CONFIG, "--context: " + context + " is not in the kubeconfig");
    }
    if (config.getCurrentContext() == null && (kubeconfig != null || isDefault(config))) {
      throw new ClusterException(
          NO_CONFIG,
          "no cluster is named (expected: --kubeconfig, $KUBECONFIG, ~/.kube/config with a current"
              + " context, or a Pod with a service account)");
    }
    return config;
  }

  /** Whether nothing around us says where a cluster is and who we are. */
  private static boolean isDefault(Config config) {
    return config.getOauthToken() == null
        && config.getAutoOAuthToken() == null
        && Config.DEFAULT_MASTER_URL.startsWith(config.getMasterUrl().replaceAll("/+$", ""));
  }
}
