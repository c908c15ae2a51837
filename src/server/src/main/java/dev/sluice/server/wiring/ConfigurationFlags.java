package dev.sluice.server.wiring;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.Framework;
import dev.sluice.manifests.JobSelection;
import dev.sluice.manifests.ServerConfiguration;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.settings.ConfiguredSettings;
import dev.sluice.rules.settings.GuardMode;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.rules.view.JobSource;
import dev.sluice.server.program.CommandException;
import dev.sluice.supervision.Dependency;
import dev.sluice.webhook.ServerContext;
import dev.sluice.webhook.StandardRules;
import dev.sluice.webhook.fence.FencedQuotaView;
import dev.sluice.webhook.fence.QuotaSource;
import dev.sluice.webhook.server.TlsPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say what an operator chose. */
public final class ConfigurationFlags {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A Configuration of config.kueue.x-k8s.io, or our Extensions beside it; repeatable,"
              + " and a file may hold both.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--feature-gates",
      paramLabel = "NAME=BOOL,...",
      description = "Feature gates; not beside featureGates in the file.")
  private @Nullable String featureGates;

  /** What was chosen. */
  public record Chosen(Configuration configuration, Extensions extensions) {
    /** What holds without files. */
    public static Chosen defaults(String ownNamespace) {
      return new Chosen(Configuration.defaults(ownNamespace), Extensions.DEFAULT);
    }

    /** The kinds of jobs whose writes the API server sends to this server. */
    public JobSelection jobs() {
      return new JobSelection(
          configuration.jobs().frameworks().stream()
              .map(Framework::frameworkName)
              .collect(Collectors.toUnmodifiableSet()),
          extensions.customKinds());
    }

    /** The TLS settings of a server. */
    public TlsPolicy tls() {
      return TlsPolicy.of(configuration.manager().tls());
    }

    /** Whether a plain port shows metrics. */
    public boolean showsMetrics() {
      return configuration.manager().metrics().isServed();
    }

    /** The context of a server without a cluster. */
    public ServerContext withoutCluster() {
      return withView(ClusterView.EMPTY);
    }

    /** The context of a server with a view that is ready at once. */
    public ServerContext withView(ClusterView view) {
      return new ServerContext(
          StandardRules.book(extensions.customKinds()),
          world(view),
          JobSource.NONE,
          Dependency.NONE);
    }

    /** The context of rules with this view of a cluster. */
    public ReviewContext world(ClusterView view) {
      return new ReviewContext(view, ConfiguredSettings.of(configuration, extensions));
    }

    /** The context of rules with this view of a cluster and its quotas. */
    ReviewContext world(ClusterView view, QuotaSource quotas) {
      GuardMode mode =
          switch (extensions.quotaFence().mode()) {
            case DENY -> GuardMode.DENY;
            case WARN -> GuardMode.WARN;
            case OFF -> GuardMode.OFF;
          };
      return new ReviewContext(
          view,
          ConfiguredSettings.of(configuration, extensions),
          new FencedQuotaView(
              EngineConfiguration.of(configuration), mode, quotas, System::nanoTime));
    }
  }

  /** Whether anything was chosen at all. */
  public boolean isGiven() {
    return !files.isEmpty() || featureGates != null;
  }

  /**
   * The flags and files for a server in a container with the same configuration.
   *
   * @throws CommandException if a file cannot be read
   */
  public ServerConfiguration toHandOn() {
    StringBuilder documents = new StringBuilder();
    for (String file : files) {
      documents.append(documents.isEmpty() ? "" : "---\n").append(text(file));
    }
    return new ServerConfiguration(
        documents.toString(), Optional.ofNullable(featureGates).orElse(""));
  }

  private static String text(String file) {
    try {
      String text = Files.readString(Path.of(file));
      return text.endsWith("\n") ? text : text + "\n";
    } catch (IOException e) {
      throw new CommandException("--config: " + file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the files. What is odd about them is logged.
   *
   * @param ownNamespace where we run, which holds unless a file names another
   * @throws CommandException with all that is wrong, each with its file and line
   */
  public Chosen read(String ownNamespace) {
    return ConfigurationFiles.read(files, Optional.ofNullable(featureGates), ownNamespace);
  }
}
