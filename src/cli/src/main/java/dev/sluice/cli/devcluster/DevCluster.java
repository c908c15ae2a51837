package dev.sluice.cli.devcluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.Poll;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import dev.sluice.rules.quota.QuotaLoss;
import dev.sluice.scheduler.recorder.RecordingOptions;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.wiring.ClusterWatch;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.QuotaEdits;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A control plane on loopback with Sluice installed: the API server calls a server in this process
 * by URL. All state is in one folder; starting there again continues with the same objects.
 */
public final class DevCluster implements AutoCloseable {
  private static final Duration ESTABLISHED = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final ControlPlane controlPlane;
  private final ClusterWatch clusterWatch;
  private final WebhookServer server;
  private final LateQuotaEdits quotaEdits;
  private final Supervisor supervisor;

  /** The scheduler starts after the server that asks it. */
  private static final class LateQuotaEdits implements QuotaEdits {
    private volatile @Nullable QuotaEdits scheduler;

    @Override
    public Optional<List<QuotaLoss>> losses(JsonNode clusterQueue) {
      QuotaEdits asked = scheduler;
      return asked == null ? Optional.empty() : asked.losses(clusterQueue);
    }
  }

  private DevCluster(
      ControlPlane controlPlane,
      ClusterWatch clusterWatch,
      WebhookServer server,
      LateQuotaEdits quotaEdits,
      Supervisor supervisor) {
    this.controlPlane = controlPlane;
    this.clusterWatch = clusterWatch;
    this.server = server;
    this.quotaEdits = quotaEdits;
    this.supervisor = supervisor;
  }

  /** Starts all of it with every kind of jobs managed, so that each can be tried. */
  public static DevCluster start(
      Path folder, ControlPlane.Options parts, ServerOptions options, Consumer<String> progress) {
    return start(folder, parts, options, EveryKind.chosen(), progress);
  }

  /**
   * Starts all of it and waits until the API server serves our kinds and the server sees them.
   *
   * @param folder where state is kept
   * @param parts the control plane to start; its directory is set to one in the folder
   * @param options the options of the server
   * @param chosen the operator's configuration
   * @param progress receives each step in a few words
   */
  public static DevCluster start(
      Path folder,
      ControlPlane.Options parts,
      ServerOptions options,
      Chosen chosen,
      Consumer<String> progress) {
    progress.accept("starting the control plane");
    ControlPlane controlPlane =
        ControlPlane.start(parts.withDirectory(folder.resolve("control-plane")));
    Supervisor supervisor = new Supervisor();
    LateQuotaEdits quotaEdits = new LateQuotaEdits();
    ClusterWatch clusterWatch =
        ClusterWatch.eager(controlPlane.kubeconfig(), chosen, ESTABLISHED, quotaEdits, supervisor);
    try {
      progress.accept("starting the webhook server");
      WebhookServer server =
          WebhookServer.start(options, certificates(folder), clusterWatch.context(), supervisor);
      return installed(
          new DevCluster(controlPlane, clusterWatch, server, quotaEdits, supervisor),
          chosen,
          progress);
    } catch (RuntimeException e) {
      clusterWatch.close();
      controlPlane.close();
      throw e;
    }
  }

  private static DevCluster installed(
      DevCluster cluster, Chosen chosen, Consumer<String> progress) {
    try {
      progress.accept("installing");
      cluster.install(chosen);
      cluster.clusterWatch.open();
      Poll.until(ESTABLISHED, PAUSE, () -> cluster.server.readiness().ready());
      return cluster;
    } catch (RuntimeException e) {
      cluster.server.close();
      throw e;
    }
  }

  private static CertificateFolder certificates(Path folder) {
    return CertificateFolder.open(
        folder.resolve("certs"),
        List.of("127.0.0.1", "localhost", "::1"),
        Lifetimes.DEFAULT,
        InstantSource.system(),
        new SecureRandom());
  }

  private void install(Chosen chosen) {
    URI url = URI.create("https://127.0.0.1:" + server.httpsPort());
    Installation installation =
        Installation.into(new Target.Url(url))
            .trusting(server.caBundlePem())
            .managing(chosen.jobs());
    Installing.into(controlPlane.client(), installation);
    collectGarbage();
  }

  /** The garbage collector looks for new kinds twice a minute, and when it starts. */
  private void collectGarbage() {
    if (controlPlane.isRunning(Part.KUBE_CONTROLLER_MANAGER)) {
      controlPlane.killAndRestart(Part.KUBE_CONTROLLER_MANAGER);
    }
  }

  /**
   * Starts the only scheduler of this cluster, which the server asks about edits of quotas; returns
   * at once. To be closed before the cluster.
   *
   * @param recording where decisions are recorded, if anywhere
   */
  Scheduling schedule(Chosen chosen, Optional<RecordingOptions> recording) {
    Scheduling scheduling =
        Scheduling.alone(controlPlane.kubeconfig(), chosen, recording, supervisor);
    quotaEdits.scheduler = scheduling.quotaEdits();
    return scheduling;
  }

  /** Adds a simulated node that can hold this much, if there is none of this name. */
  void addNode(String name, String pool) {
    String node =
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"%1$s","labels":{
        "kubernetes.io/hostname":"%1$s","pool":"%2$s"}},
        "status":{"capacity":{"cpu":"64","memory":"256Gi","pods":"250"},
        "allocatable":{"cpu":"64","memory":"256Gi","pods":"250"}}}\
        """
            .formatted(name, pool);
    ApiClient.Response response = controlPlane.client().create("/api/v1/nodes", node);
    if (response.status() != 409) {
      response.orThrow();
    }
  }

  /** The control plane. */
  public ControlPlane controlPlane() {
    return controlPlane;
  }

  /** The server that the control plane calls. */
  public WebhookServer server() {
    return server;
  }

  /** The supervisor of the threads in this process. */
  Supervisor supervisor() {
    return supervisor;
  }

  /** Stops looking, then the control plane, then the server it calls. */
  @Override
  public void close() {
    clusterWatch.close();
    controlPlane.close();
    server.close();
  }
}
