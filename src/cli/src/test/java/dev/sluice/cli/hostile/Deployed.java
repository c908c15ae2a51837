package dev.sluice.cli.hostile;

import dev.sluice.cli.devcluster.Installing;
import dev.sluice.cli.process.SchedulerConfiguration;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import dev.sluice.manifests.Installation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * An API server with Sluice installed, whose two containers are processes with the memory of our
 * Deployment.
 */
final class Deployed implements AutoCloseable {
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final int READY_MILLIS = 5_000;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ControlPlane controlPlane;
  private final int https = Ports.free();
  private final Container serve;
  private final Container schedule;
  private final SSLContext trust;

  Deployed(Path folder) throws IOException {
    this.controlPlane =
        ControlPlane.start(
            ControlPlane.Options.apiServer().withDirectory(folder.resolve("control-plane")));
    String kubeconfig = "--kubeconfig=" + controlPlane.kubeconfig();
    String ledger = "--ledger=" + folder.resolve("ledger.sock");
    Path data = folder.resolve("data");
    this.serve =
        Container.start(
            folder,
            "serve",
            Ports.free(),
            "--host=127.0.0.1",
            "--port=" + https,
            "--no-inject",
            "--data=" + data,
            kubeconfig,
            ledger);
    Path authority = data.resolve("certs").resolve("ca.crt");
    require("a certificate authority", () -> Files.exists(authority));
    String pem = Files.readString(authority);
    this.trust = Trust.in(pem);
    Installing.into(
        controlPlane.client(),
        Installation.into(
                new dev.sluice.manifests.Target.Url(URI.create("https://127.0.0.1:" + https)))
            .trusting(pem));
    this.schedule =
        Container.start(
            folder,
            "schedule",
            Ports.free(),
            "--config=" + SchedulerConfiguration.write(folder, 5, ""),
            kubeconfig,
            ledger);
    awaitReady();
  }

  private void require(String what, java.util.function.BooleanSupplier condition) {
    if (!Poll.until(SOON, PAUSE, condition)) {
      throw new IllegalStateException(what + " did not come within " + SOON + "\n" + tail());
    }
  }

  private static boolean isReady(Container container) {
    return Line.get(
            InetAddress.getLoopbackAddress(), container.plainPort(), "/readyz", READY_MILLIS)
        == 200;
  }

  /** Waits until both containers say that they are ready. */
  void awaitReady() {
    require("a webhook server that is ready", () -> isReady(serve));
    require("a scheduler that is ready", () -> isReady(schedule));
  }

  ApiClient api() {
    return controlPlane.client();
  }

  int https() {
    return https;
  }

  SSLContext trust() {
    return trust;
  }

  List<Container> containers() {
    return List.of(serve, schedule);
  }

  /** Restarts what has ended, or all of it, as a kubelet would. */
  void restart(boolean all) throws IOException {
    for (Container container : containers()) {
      if (all || container.process().hasEnded()) {
        container.process().restart();
      }
    }
    awaitReady();
  }

  /** The last lines of what the containers said. */
  String tail() {
    List<String> tails = new ArrayList<>();
    for (Container container : containers()) {
      if (container != null) {
        tails.add(container.role() + "\n" + container.process().tail());
      }
    }
    return String.join("\n", tails);
  }

  @Override
  public void close() {
    schedule.close();
    serve.close();
    controlPlane.close();
  }
}
