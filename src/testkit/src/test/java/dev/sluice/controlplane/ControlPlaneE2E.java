package dev.sluice.controlplane;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.controlplane.ControlPlane.Options;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.ControlPlaneException.Reason;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a control plane, from its start to the end of its processes. */
@FullTier
@NeedsControlPlane
class ControlPlaneE2E {
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path folder;

  @Test
  void keepsItsObjectsAndItsTokenOverRestartsAndLeavesNoProcessBehind() {
    var options = Options.apiServer().withDirectory(folder.resolve("data"));
    List<Long> processes;
    String token;

    try (var controlPlane = ControlPlane.start(options)) {
      token = controlPlane.token();
      var client = controlPlane.client();
      client.create(NAMESPACES, namespace("harbor")).orThrow();
      controlPlane.restartApiServer("--max-requests-inflight=100");
      assertThat(client.get(NAMESPACES + "/harbor").status()).isEqualTo(200);
      assertThat(controlPlane.isRunning(Part.KUBE_APISERVER)).isTrue();
      processes = processes(controlPlane);
    }
    try (var controlPlane = ControlPlane.start(options)) {
      assertThat(controlPlane.client().get(NAMESPACES + "/harbor").status()).isEqualTo(200);
      assertThat(controlPlane.token()).isEqualTo(token);
    }

    assertThat(processes).hasSize(2).noneMatch(ControlPlaneE2E::isAlive);
    assertThat(folder.resolve("data")).isDirectory();
  }

  @Test
  void anApiServerThatRefusesItsFlagsFailsTheStartWithItsLastWordsAndStopsEtcd() {
    var options =
        Options.apiServer()
            .withDirectory(folder.resolve("data"))
            .withApiServerFlags("--no-such-flag");

    var failure =
        catchThrowableOfType(ControlPlaneException.class, () -> ControlPlane.start(options));

    assertThat(failure.reason()).isEqualTo(Reason.PROCESS_ENDED);
    assertThat(failure).hasMessageContainingAll("kube-apiserver ended", "unknown flag");
    assertThat(folder.resolve("data/etcd.log")).exists();
  }

  @Test
  void aTemporaryDirectoryGoesWithTheControlPlane() {
    var controlPlane = ControlPlane.start(Options.apiServer());
    Path directory = controlPlane.directory();
    assertThat(directory).isDirectory();

    controlPlane.stopApiServer();
    assertThat(controlPlane.isRunning(Part.KUBE_APISERVER)).isFalse();
    assertThatThrownBy(() -> controlPlane.client().get(NAMESPACES))
        .extracting("reason")
        .isEqualTo(Reason.UNREACHABLE);
    controlPlane.close();
    controlPlane.close();

    assertThat(directory).doesNotExist();
    assertThatThrownBy(controlPlane::restartApiServer).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aPartIsStartedAndStoppedBesideAnApiServerThatRuns() {
    try (var controlPlane = ControlPlane.start(Options.apiServer())) {
      controlPlane.startPart(Part.KUBE_SCHEDULER);
      controlPlane.startPart(Part.KUBE_SCHEDULER);
      long first = controlPlane.pid(Part.KUBE_SCHEDULER).orElseThrow();
      controlPlane.stopPart(Part.KUBE_SCHEDULER);
      assertThat(controlPlane.isRunning(Part.KUBE_SCHEDULER)).isFalse();
      assertThat(isAlive(first)).isFalse();

      controlPlane.startPart(Part.KUBE_SCHEDULER);
      assertThat(controlPlane.isRunning(Part.KUBE_SCHEDULER)).isTrue();
      assertThat(controlPlane.client().get(NAMESPACES).isSuccess()).isTrue();

      assertThatThrownBy(() -> controlPlane.stopPart(Part.ETCD))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> controlPlane.startPart(Part.KUBE_APISERVER))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void credentialsAreForTheirOwnerOnly(ControlPlane controlPlane) throws IOException {
    for (String file : List.of("kubeconfig", "tokens.csv", "service-account.key")) {
      var mode = Files.getPosixFilePermissions(controlPlane.directory().resolve(file));
      assertThat(PosixFilePermissions.toString(mode)).as(file).isEqualTo("rw-------");
    }
  }

  @Test
  void kubectlTrustsTheServerByTheKubeconfigAlone(ControlPlane controlPlane) throws Exception {
    Optional<Path> kubectl = onPath("kubectl");
    if (kubectl.isPresent()) {
      Path log = folder.resolve("kubectl.log");
      var command =
          List.of(
              kubectl.get().toString(),
              "--kubeconfig=" + controlPlane.kubeconfig(),
              "get",
              "namespace",
              "default",
              "--output=name");

      var child = Child.start("kubectl", command, Map.of(), folder, log);

      assertThat(child.ends(SOON)).isTrue();
      assertThat(log).hasContent("namespace/default");
    }
    assertThat(controlPlane.kubeconfig()).content().doesNotContain("insecure");
  }

  /** SIGKILL leaves a JVM no time for hooks; what it started must not outlive it all the same. */
  @Test
  void etcdEndsWhenTheJvmThatStartedItIsKilled() throws Exception {
    Path log = folder.resolve("jvm.log");
    var jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                StartsEtcdAndWaits.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      await().atMost(20, SECONDS).until(() -> Files.readString(log).contains("\n"));
      String[] words = Files.readString(log).strip().split(" ", 2);
      long etcd = Long.parseLong(words[0]);
      int port = Integer.parseInt(words[1]);
      assertThat(isAlive(etcd)).isTrue();

      jvm.destroyForcibly();

      await().atMost(SOON).until(() -> !isAlive(etcd) && !Ports.isListening(port));
    } finally {
      jvm.destroyForcibly();
    }
  }

  static String namespace(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
        .formatted(name);
  }

  private static List<Long> processes(ControlPlane controlPlane) {
    return List.of(
        controlPlane.pid(Part.ETCD).orElseThrow(),
        controlPlane.pid(Part.KUBE_APISERVER).orElseThrow());
  }

  /** A process that has ended but was not yet reaped by its new parent has no command any more. */
  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).flatMap(process -> process.info().command()).isPresent();
  }

  private static Optional<Path> onPath(String program) {
    for (String entry : System.getenv("PATH").split(":", -1)) {
      Path file = Path.of(entry, program);
      if (Files.isExecutable(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
