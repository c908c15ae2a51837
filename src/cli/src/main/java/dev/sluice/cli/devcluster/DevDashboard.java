package dev.sluice.cli.devcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.server.dashboard.DashboardServer;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.see.HistoryPlace;
import dev.sluice.server.see.LocalSee;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;

/**
 * The dashboard of a development cluster, with the server that it asks. The API server has no front
 * proxy here, so the dashboard asks that server itself, with the token of the administrator.
 */
final class DevDashboard implements AutoCloseable {
  /** An API server without a front proxy does not write it; the server of the API waits for it. */
  private static final String TRUST =
      """
      {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"extension-apiserver-authentication",
      "namespace":"kube-system"},"data":{}}\
      """;

  private final LocalSee see;
  private final DashboardServer dashboard;

  private DevDashboard(LocalSee see, DashboardServer dashboard) {
    this.see = see;
    this.dashboard = dashboard;
  }

  /**
   * Starts both; returns at once.
   *
   * @param folder where certificates and credentials are kept
   */
  static DevDashboard start(
      Path folder, ControlPlane cluster, Chosen chosen, Supervisor supervisor) {
    ApiClient.Response created =
        cluster.client().create("/api/v1/namespaces/kube-system/configmaps", TRUST);
    if (created.status() != 409) { // it is there from an earlier start
      created.orThrow();
    }
    CertificateFolder certificates =
        CertificateFolder.open(
            folder.resolve("see-certs"),
            List.of("127.0.0.1"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    LocalSee see =
        LocalSee.start(
            ClusterAccess.of(cluster.kubeconfig()),
            chosen,
            certificates,
            new HistoryPlace(folder.resolve("history"), HistoryPlace.USUAL_BOUND),
            supervisor);
    try {
      Path kubeconfig = write(folder.resolve("dashboard.kubeconfig"), cluster, certificates, see);
      return new DevDashboard(see, DashboardServer.start(ClusterAccess.of(kubeconfig), 0, null));
    } catch (IllegalStateException e) {
      see.close();
      throw new CommandException("the dashboard: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      see.close();
      throw e;
    }
  }

  private static Path write(
      Path file, ControlPlane cluster, CertificateFolder certificates, LocalSee see) {
    String text =
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: sluice
          cluster:
            server: https://127.0.0.1:%d
            certificate-authority-data: %s
        users:
        - name: admin
          user: {token: %s}
        contexts:
        - name: sluice
          context: {cluster: sluice, user: admin}
        current-context: sluice
        """
            .formatted(
                see.port(),
                Base64.getEncoder().encodeToString(certificates.caBundlePem().getBytes(UTF_8)),
                cluster.token());
    DevFleet.write(file, text);
    return file;
  }

  /** The address of its first page, with the key. */
  String address() {
    return dashboard.address();
  }

  @Override
  public void close() {
    dashboard.close();
    see.close();
  }
}
