package dev.sluice.controlplane;

import static dev.sluice.controlplane.ControlPlaneException.Reason.TIMED_OUT;
import static dev.sluice.controlplane.ControlPlaneException.Reason.UNREACHABLE;

import dev.sluice.controlplane.ControlPlane.Part;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Starts each program with its flags and waits until it is ready. */
final class Launcher {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int ATTEMPTS = 5;
  private static final String PORT_TAKEN = "address already in use";

  private final Path binaries;
  private final Path directory;
  private final Credentials credentials;
  private final Duration bound;

  /** A program and the port it serves on. */
  record Started(Child child, int port) {}

  Launcher(Path binaries, Path directory, Credentials credentials, Duration bound) {
    this.binaries = binaries;
    this.directory = directory;
    this.credentials = credentials;
    this.bound = bound;
  }

  static URI server(int port) {
    return URI.create("https://127.0.0.1:" + port);
  }

  Path log(Part part) {
    return directory.resolve(part.program() + ".log");
  }

  Started startEtcd() {
    return start(Part.ETCD, () -> Ports.free(2), this::etcdFlags, Ports::isListening);
  }

  /** Starts the API server; without a port, on one that is free. */
  Started startApiServer(int etcdPort, OptionalInt port, List<String> extraFlags) {
    Supplier<List<Integer>> ports =
        () -> port.isPresent() ? List.of(port.getAsInt()) : Ports.free(1);
    return start(
        Part.KUBE_APISERVER,
        ports,
        taken -> apiServerFlags(etcdPort, taken.getFirst(), extraFlags),
        this::isReady);
  }

  /** Starts an API server more with the same data, on a free port, with a log of its own. */
  Started startAnotherApiServer(int etcdPort, int number, List<String> extraFlags) {
    return start(
        Part.KUBE_APISERVER,
        directory.resolve(Part.KUBE_APISERVER.program() + "-" + number + ".log"),
        () -> Ports.free(1),
        taken -> apiServerFlags(etcdPort, taken.getFirst(), extraFlags),
        this::isReady);
  }

  /** Starts one of the parts that need nothing but the API server. */
  Child startBesideApiServer(Part part) {
    Function<List<Integer>, List<String>> flags =
        part == Part.KWOK
            ? ports -> kwokFlags(ports.getFirst())
            : ports -> controllerFlags(part, ports.getFirst());
    return start(part, () -> Ports.free(1), flags, Ports::isListening).child();
  }

  private interface Check {
    boolean isOfUse(int port);
  }

  private Started start(
      Part part,
      Supplier<List<Integer>> ports,
      Function<List<Integer>, List<String>> flags,
      Check check) {
    return start(part, log(part), ports, flags, check);
  }

  /** Between finding a free port and using it, another process can take it: then another one. */
  private Started start(
      Part part,
      Path log,
      Supplier<List<Integer>> ports,
      Function<List<Integer>, List<String>> flags,
      Check check) {
    for (int attempt = 1; ; attempt++) {
      List<Integer> taken = ports.get();
      Child child = launch(part, log, flags.apply(taken));
      if (awaits(part, child, () -> check.isOfUse(taken.getFirst()))) {
        return new Started(child, taken.getFirst());
      }
      if (attempt == ATTEMPTS || !child.tail().contains(PORT_TAKEN)) {
        throw child.ended();
      }
    }
  }

  private Child launch(Part part, Path log, List<String> flags) {
    var command = new ArrayList<>(List.of(binaries.resolve(part.program()).toString()));
    command.addAll(flags);
    return Child.start(part.program(), command, Map.of(), directory, log);
  }

  /** True when the program is ready, false when it has ended. */
  private boolean awaits(Part part, Child child, BooleanSupplier check) {
    boolean done = false;
    try {
      done = Poll.until(bound, PAUSE, () -> !child.isAlive() || check.getAsBoolean());
    } finally {
      if (!done) {
        child.kill();
      }
    }
    if (!done) {
      throw new ControlPlaneException(
          TIMED_OUT,
          part.program() + " is not ready after " + bound + "; its last output:\n" + child.tail());
    }
    return child.isAlive();
  }

  private boolean isReady(int port) {
    if (!credentials.hasServingCertificate()) {
      return false;
    }
    try (var client = new ApiClient(server(port), credentials.token(), credentials.caPem())) {
      return client.get("/readyz").isSuccess();
    } catch (ControlPlaneException e) {
      if (e.reason() == UNREACHABLE) {
        return false;
      }
      throw e;
    }
  }

  private List<String> etcdFlags(List<Integer> ports) {
    String url = "http://127.0.0.1:" + ports.get(0);
    String peers = "http://127.0.0.1:" + ports.get(1);
    return List.of(
        "--data-dir=" + directory.resolve("etcd"),
        "--listen-client-urls=" + url,
        "--advertise-client-urls=" + url,
        "--listen-peer-urls=" + peers,
        "--initial-advertise-peer-urls=" + peers,
        "--initial-cluster=default=" + peers,
        "--unsafe-no-fsync",
        "--log-level=warn");
  }

  private List<String> apiServerFlags(int etcdPort, int port, List<String> extraFlags) {
    var flags =
        new ArrayList<>(
            List.of(
                "--etcd-servers=http://127.0.0.1:" + etcdPort,
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + credentials.servingFolder(),
                "--token-auth-file=" + credentials.tokens(),
                "--authorization-mode=RBAC",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + credentials.serviceAccountKey(),
                "--service-account-signing-key-file=" + credentials.serviceAccountKey(),
                "--service-cluster-ip-range=10.0.0.0/24",
                "--disable-admission-plugins=ServiceAccount",
                "--allow-privileged=true"));
    flags.addAll(extraFlags);
    return flags;
  }

  private List<String> controllerFlags(Part part, int port) {
    String kubeconfig = credentials.kubeconfig().toString();
    var flags =
        new ArrayList<>(
            List.of(
                "--kubeconfig=" + kubeconfig,
                "--authentication-kubeconfig=" + kubeconfig,
                "--authorization-kubeconfig=" + kubeconfig,
                // else they wait for a ConfigMap that exists only where clients have certificates
                "--authentication-tolerate-lookup-failure=true",
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + directory.resolve(part.program()),
                "--leader-elect=false"));
    if (part == Part.KUBE_CONTROLLER_MANAGER) {
      // nobody sends heartbeats of these nodes: after 50 s none of their pods would be ready
      flags.add("--node-monitor-grace-period=24h");
    }
    return flags;
  }

  private List<String> kwokFlags(int port) {
    Path stages = directory.resolve("stages.yaml");
    PrivateFiles.write(stages, PrivateFiles.resource("stages.yaml"));
    return List.of(
        "--kubeconfig=" + credentials.kubeconfig(),
        "--manage-all-nodes=true",
        "--config=" + stages,
        "--server-address=127.0.0.1:" + port);
  }
}
