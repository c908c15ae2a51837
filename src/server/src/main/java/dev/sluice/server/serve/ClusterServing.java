package dev.sluice.server.serve;

import dev.sluice.certs.CertificateSource;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.server.wiring.ClusterSight;
import dev.sluice.server.wiring.Serving;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.Knowledge;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A webhook server of a cluster: with its sight of it, and with our CA bundle kept there. */
public final class ClusterServing implements AutoCloseable {
  private final WebhookServer server;
  private final Optional<ClusterSight> sight;
  private final Supervisor supervisor;
  private @Nullable CaBundleInjector injector;

  private ClusterServing(
      WebhookServer server, Optional<ClusterSight> sight, Supervisor supervisor) {
    this.server = server;
    this.sight = sight;
    this.supervisor = supervisor;
  }

  /**
   * Starts the server and waits until it answers, then opens the sight.
   *
   * @param sight what it sees of the cluster, closed with this; empty if it sees nothing
   * @param supervisor of all threads
   * @throws dev.sluice.server.program.CommandException if it cannot start
   */
  public static ClusterServing start(
      ServerOptions options,
      CertificateSource certificates,
      Knowledge knowledge,
      Optional<ClusterSight> sight,
      Supervisor supervisor) {
    ClusterServing serving =
        new ClusterServing(
            Serving.start(options, certificates, knowledge, supervisor), sight, supervisor);
    sight.ifPresent(ClusterSight::open);
    return serving;
  }

  /**
   * Keeps the CA bundles of the cluster up to date from now on; to be called once.
   *
   * @param access leads to the cluster
   */
  public void inject(ClusterAccess access) {
    injector = CaBundleInjector.start(access, server::caBundlePem, supervisor);
  }

  /** The server. */
  public WebhookServer server() {
    return server;
  }

  @Override
  public void close() {
    if (injector != null) {
      injector.close();
    }
    server.close();
    sight.ifPresent(ClusterSight::close);
  }
}
