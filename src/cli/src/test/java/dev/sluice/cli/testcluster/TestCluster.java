package dev.sluice.cli.testcluster;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.devcluster.EveryKind;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** A cluster on free ports with a folder of its own, which is kept on request. */
public final class TestCluster implements AutoCloseable {
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);

  private final Path folder;
  private final DevCluster cluster;
  private final CleanState clean;
  private volatile boolean keeps;

  private TestCluster(Path folder, DevCluster cluster) {
    this.folder = folder;
    this.cluster = cluster;
    this.clean = CleanState.of(cluster.controlPlane());
  }

  static TestCluster start(ControlPlane.Options parts, FeatureGate... gates) {
    try {
      Path folder = Files.createTempDirectory("sluice-dev-cluster");
      return new TestCluster(folder, startIn(folder, parts, gates));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts one in a folder of the caller's; what lies there is taken up again. */
  public static DevCluster startIn(Path folder, ControlPlane.Options parts, FeatureGate... gates) {
    ServerOptions options =
        ServerOptions.builder().listeningOn(ANYWHERE, ANYWHERE).warmUp(Duration.ZERO).build();
    return DevCluster.start(folder, parts, options, EveryKind.chosen(gates), _ -> {});
  }

  DevCluster cluster() {
    return cluster;
  }

  Path folder() {
    return folder;
  }

  /** Lets the folder stay, with the logs of all parts. */
  void keepFiles() {
    keeps = true;
  }

  /** Removes all that was stored since the start; or says why it can only be closed now. */
  Optional<String> makeClean() {
    return keeps ? Optional.of("a test failed there") : clean.restore();
  }

  @Override
  public void close() {
    cluster.close();
    if (keeps) {
      System.err.println("the logs of the control plane are in " + folder);
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
