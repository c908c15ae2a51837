package dev.sluice.server.schedule;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.server.run.SharedQuota;
import dev.sluice.server.serve.ClusterServing;
import dev.sluice.server.wiring.ClusterWatch;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ListenAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A webhook server and a scheduler that share a folder with sockets, as in the installed Pod. */
@FullTier
@NeedsControlPlane
class TwoRolesE2E {
  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

  @TempDir private Path folder;

  @Test
  void theWarningOfAQuotaEditNamesThoseWhomTheEngineOfTheSchedulerWouldPreempt() {
    Chosen chosen = Chosen.defaults("sluice-system");
    CertificateFolder certificates =
        CertificateFolder.open(
            folder.resolve("certs"),
            List.of("127.0.0.1", "localhost"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    Path ledger = folder.resolve("ledger.sock");
    try (ControlPlane cluster = ControlPlane.start(ControlPlane.Options.apiServer());
        ClusterServing serving = serve(cluster, chosen, certificates, ledger)) {
      SharedQuota quota = new SharedQuota(cluster.client(), serving.server(), chosen);
      try (Scheduling scheduling =
          Scheduling.alone(cluster.kubeconfig(), chosen, new Supervisor())) {
        scheduling.publish(ledger);
        quota.borrow();

        quota.awaitNamesOfTheEngine();
      }
    }
  }

  private static ClusterServing serve(
      ControlPlane cluster, Chosen chosen, CertificateFolder certificates, Path ledger) {
    Supervisor supervisor = new Supervisor();
    ClusterWatch watch =
        ClusterWatch.of(
            ClusterAccess.of(cluster.kubeconfig()),
            chosen,
            Duration.ofSeconds(10),
            ledger,
            supervisor);
    return ClusterServing.start(
        ServerOptions.builder().listeningOn(ANY_PORT, ANY_PORT).warmUp(Duration.ZERO).build(),
        certificates,
        watch.context(),
        Optional.of(watch),
        supervisor);
  }
}
