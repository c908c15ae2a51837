package dev.sluice.server.serve;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.CertificateSource;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.manifests.Installation;
import dev.sluice.server.register.CertificateTrust;
import dev.sluice.server.register.ClusterPublisher;
import dev.sluice.server.register.SelfRegistration;
import dev.sluice.server.wiring.ClusterWatch;
import dev.sluice.server.wiring.Serving;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.ServerContext;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A webhook server of a cluster that watches the cluster and keeps our CA bundle there. */
public final class ClusterServing implements AutoCloseable {
  private final WebhookServer server;
  private final CertificateSource certificates;
  private final Optional<ClusterWatch> clusterWatch;
  private final Supervisor supervisor;
  private @Nullable ClusterPublisher publisher;

  private ClusterServing(
      WebhookServer server,
      CertificateSource certificates,
      Optional<ClusterWatch> clusterWatch,
      Supervisor supervisor) {
    this.server = server;
    this.certificates = certificates;
    this.clusterWatch = clusterWatch;
    this.supervisor = supervisor;
  }

  /**
   * Starts the server, and to watch the cluster once it listens. Waits until the server answers.
   *
   * @param clusterWatch its view of the cluster, closed with this; empty if it has none
   * @param supervisor of all threads
   * @throws dev.sluice.server.program.CommandException if it cannot start
   */
  public static ClusterServing start(
      ServerOptions options,
      CertificateSource certificates,
      ServerContext context,
      Optional<ClusterWatch> clusterWatch,
      Supervisor supervisor) {
    try {
      return new ClusterServing(
          Serving.start(
              options,
              certificates,
              context,
              supervisor,
              () -> clusterWatch.ifPresent(ClusterWatch::open)),
          certificates,
          clusterWatch,
          supervisor);
    } catch (RuntimeException e) {
      clusterWatch.ifPresent(ClusterWatch::close); // it may be open, while the server did not start
      throw e;
    }
  }

  /**
   * Keeps what the cluster knows of this server up to date from now on; to be called once.
   *
   * @param access leads to the cluster
   * @param registered how the API server reaches the server, if the server registers itself;
   *     otherwise only CA bundles are written
   */
  public void publish(ClusterAccess access, Optional<Installation> registered) {
    publisher =
        ClusterPublisher.start(
            access,
            new CertificateTrust(certificates, this::checkCertificate),
            registered.map(
                it ->
                    new SelfRegistration(
                        it, () -> server.readiness().ready(), server::reviewsReceived)),
            supervisor);
  }

  private void checkCertificate() {
    if (!(certificates instanceof CertificateFolder)) { // others may have changed it
      server.checkCertificate();
    }
  }

  /** The server. */
  public WebhookServer server() {
    return server;
  }

  @Override
  public void close() {
    if (publisher != null) {
      publisher.close();
    }
    server.close();
    clusterWatch.ifPresent(ClusterWatch::close);
  }
}
