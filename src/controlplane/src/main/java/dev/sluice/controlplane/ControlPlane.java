package dev.sluice.controlplane;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A running control plane on free ports of loopback.
 *
 * <p>Its processes end with {@link #close}, and otherwise with this JVM, even one that is killed.
 * Everything it writes, logs included, is in one directory. Safe for use by many threads; its
 * methods exclude each other.
 */
public final class ControlPlane implements AutoCloseable {
  private static final Duration STOP = Duration.ofSeconds(10);
  private static final Duration AT_EXIT = Duration.ofSeconds(2);

  /** The programs, in the order in which they start. */
  public enum Part {
    ETCD("etcd", "go.etcd.io/etcd/server/v3", "10 seconds"),
    KUBE_APISERVER("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", "4 minutes"),
    KUBE_CONTROLLER_MANAGER(
        "kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager", "1 minute"),
    KUBE_SCHEDULER("kube-scheduler", "k8s.io/kubernetes/cmd/kube-scheduler", "10 seconds"),
    /** Simulates nodes: what is scheduled on any node runs, and pods of a Job succeed after 1 s. */
    KWOK("kwok", "sigs.k8s.io/kwok/cmd/kwok", "15 seconds");

    private final String program;
    private final String goPackage;
    private final String usualBuild;

    Part(String program, String goPackage, String usualBuild) {
      this.program = program;
      this.goPackage = goPackage;
      this.usualBuild = usualBuild;
    }

    /** The name of its binary. */
    public String program() {
      return program;
    }

    String goPackage() {
      return goPackage;
    }

    String usualBuild() {
      return usualBuild;
    }
  }

  /**
   * What to start.
   *
   * @param parts always with etcd and the API server, which the others need
   * @param directory where everything is kept; null for a temporary one. One that was used before
   *     is taken up again with all its objects, credentials and tokens, on new ports
   * @param apiServerFlags added behind ours, so that they win
   * @param bound how long each process may take to be ready
   * @param binaries where the programs are
   */
  public record Options(
      Set<Part> parts,
      @Nullable Path directory,
      List<String> apiServerFlags,
      Duration bound,
      Binaries binaries) {
    public Options {
      var needed = EnumSet.of(Part.ETCD, Part.KUBE_APISERVER);
      needed.addAll(parts);
      parts = Set.copyOf(needed);
      apiServerFlags = List.copyOf(apiServerFlags);
    }

    /** etcd and the API server in a temporary directory: enough for most tests. */
    public static Options apiServer() {
      return new Options(
          Set.of(), null, List.of(), Duration.ofSeconds(60), Binaries.ofThisProcess());
    }

    /** All parts, in a temporary directory: a cluster in which Jobs run on simulated nodes. */
    public static Options wholeCluster() {
      return apiServer().withParts(EnumSet.allOf(Part.class));
    }

    public Options withParts(Set<Part> changed) {
      return new Options(changed, directory, apiServerFlags, bound, binaries);
    }

    public Options withDirectory(Path changed) {
      return new Options(parts, changed, apiServerFlags, bound, binaries);
    }

    public Options withApiServerFlags(String... changed) {
      return new Options(parts, directory, List.of(changed), bound, binaries);
    }

    public Options withBound(Duration changed) {
      return new Options(parts, directory, apiServerFlags, changed, binaries);
    }
  }

  private final Options options;
  private final Path directory;
  private final Credentials credentials;
  private final Launcher launcher;
  private final Thread atExit = new Thread(this::killAll, "control-plane-at-exit");

  /** Sorted as they start. The hook at exit reads it without our lock, which a start may hold. */
  private final ConcurrentSkipListMap<Part, Child> children = new ConcurrentSkipListMap<>();

  private final List<Child> moreApiServers = new CopyOnWriteArrayList<>();
  private volatile boolean keepsLogs;

  @GuardedBy("this")
  private int etcdPort;

  @GuardedBy("this")
  private int apiServerPort;

  @GuardedBy("this")
  private @Nullable ApiClient client;

  @GuardedBy("this")
  private boolean closed;

  private ControlPlane(Options options, Path binaries, Path directory) {
    this.options = options;
    this.directory = directory;
    this.credentials = Credentials.in(directory);
    this.launcher = new Launcher(binaries, directory, credentials, options.bound());
  }

  /**
   * Starts a control plane and returns when its API server is ready and its other parts listen,
   * usually after five seconds. Builds missing binaries first, see {@link Binaries}.
   *
   * @throws ControlPlaneException if that fails: PROCESS_ENDED and TIMED_OUT come with the end of
   *     the log, and the directory is kept. Nothing that was started is left running
   */
  public static ControlPlane start(Options options) {
    Path binaries = options.binaries().obtain(options.parts());
    Path given = options.directory();
    Path directory =
        given == null
            ? PrivateFiles.temporaryFolder()
            : PrivateFiles.folder(given.toAbsolutePath());
    var controlPlane = new ControlPlane(options, binaries, directory);
    try {
      controlPlane.startAll();
      return controlPlane;
    } catch (RuntimeException e) {
      controlPlane.keepLogs();
      controlPlane.close();
      throw e;
    }
  }

  /** Scheme, host and port of the API server; stays the same when it is started again. */
  public synchronized URI server() {
    return Launcher.server(apiServerPort);
  }

  /** A bearer token that may do everything. */
  public String token() {
    return credentials.token();
  }

  /** The certificate of the authority that signed the API server's. */
  public String caPem() {
    return credentials.caPem();
  }

  /** A file that only the owner may read, with one cluster, one user and the token. */
  public Path kubeconfig() {
    return credentials.kubeconfig();
  }

  /** Where the data, the credentials and the logs are. */
  public Path directory() {
    return directory;
  }

  /** A client that may do everything, the same for all callers; it closes with this. */
  public synchronized ApiClient client() {
    ApiClient current = client;
    if (current == null) {
      current = new ApiClient(server(), token(), caPem());
      client = current;
    }
    return current;
  }

  /** What a part writes to its streams; the file is there once the part was started. */
  public Path log(Part part) {
    return launcher.log(part);
  }

  /** Whether the process of that part is alive. */
  public boolean isRunning(Part part) {
    Child child = children.get(part);
    return child != null && child.isAlive();
  }

  /** The process id of a part that was started and not stopped. */
  public Optional<Long> pid(Part part) {
    return Optional.ofNullable(children.get(part)).map(Child::pid);
  }

  /** Stops the API server and leaves the rest running; does nothing if it is stopped. */
  public synchronized void stopApiServer() {
    stop(Part.KUBE_APISERVER);
  }

  /**
   * Starts the API server again on its port with its data, certificate and tokens.
   *
   * @param extraFlags added behind those of the options, for this run only
   * @throws ControlPlaneException if it does not become ready; then it is stopped
   * @throws IllegalStateException after {@link #close}
   */
  public synchronized void restartApiServer(String... extraFlags) {
    requireOpen();
    stopApiServer();
    startApiServer(OptionalInt.of(apiServerPort), List.of(extraFlags));
  }

  /**
   * Starts an API server more with the same data, certificate and tokens, as where the control
   * plane is replicated. It ends with this.
   *
   * @return its scheme, host and port
   * @throws ControlPlaneException if it does not become ready
   * @throws IllegalStateException after {@link #close}
   */
  public synchronized URI startAnotherApiServer() {
    requireOpen();
    int number = moreApiServers.size() + 2;
    var started = launcher.startAnotherApiServer(etcdPort, number, options.apiServerFlags());
    moreApiServers.add(started.child());
    return Launcher.server(started.port());
  }

  /**
   * Kills a part that runs beside the API server and starts it again.
   *
   * @throws ControlPlaneException if it does not start
   * @throws IllegalArgumentException for etcd, the API server, and a part that was not started
   */
  public synchronized void killAndRestart(Part part) {
    requireBeside(part);
    Child child = children.get(part);
    if (child == null) {
      throw new IllegalArgumentException(
          part + ": not started (expected: a part that was started)");
    }
    child.kill();
    children.remove(part);
    children.put(part, launcher.startBesideApiServer(part));
  }

  /**
   * Starts a part beside the API server; does nothing if it runs. Builds a missing binary first.
   *
   * @throws ControlPlaneException if it does not start
   * @throws IllegalArgumentException for etcd and the API server
   * @throws IllegalStateException after {@link #close}
   */
  public synchronized void startPart(Part part) {
    requireBeside(part);
    requireOpen();
    if (!children.containsKey(part)) {
      options.binaries().obtain(EnumSet.of(part));
      children.put(part, launcher.startBesideApiServer(part));
    }
  }

  /**
   * Stops a part beside the API server; does nothing if it does not run.
   *
   * @throws IllegalArgumentException for etcd and the API server
   */
  public synchronized void stopPart(Part part) {
    requireBeside(part);
    stop(part);
  }

  private static void requireBeside(Part part) {
    if (part.compareTo(Part.KUBE_APISERVER) <= 0) {
      throw new IllegalArgumentException(
          part + " (expected: a part that runs beside the API server)");
    }
  }

  @GuardedBy("this")
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("control plane: closed (expected: running)");
    }
  }

  /** Keeps a temporary directory when this is closed, because a test failed. */
  public void keepLogs() {
    keepsLogs = true;
  }

  /**
   * Stops all processes, last started first, killing those that do not end within ten seconds.
   * Deletes a temporary directory unless {@link #keepLogs} was called; then it says on standard
   * error where the logs are. Does nothing the second time.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (client != null) {
      client.close();
    }
    moreApiServers.forEach(it -> it.stop(STOP));
    children.descendingKeySet().forEach(this::stop);
    forgetExit();
    if (options.directory() == null) {
      leaveTemporaryDirectory();
    }
  }

  private synchronized void startAll() {
    Runtime.getRuntime().addShutdownHook(atExit);
    var etcd = launcher.startEtcd();
    etcdPort = etcd.port();
    children.put(Part.ETCD, etcd.child());
    startApiServer(OptionalInt.empty(), List.of());
    options.parts().stream()
        .filter(part -> part.compareTo(Part.KUBE_APISERVER) > 0)
        .sorted()
        .forEach(part -> children.put(part, launcher.startBesideApiServer(part)));
  }

  @GuardedBy("this")
  private void startApiServer(OptionalInt port, List<String> extraFlags) {
    var flags = new ArrayList<>(options.apiServerFlags());
    flags.addAll(extraFlags);
    var started = launcher.startApiServer(etcdPort, port, flags);
    apiServerPort = started.port();
    children.put(Part.KUBE_APISERVER, started.child());
    credentials.writeKubeconfig(server());
  }

  private void stop(Part part) {
    Child child = children.remove(part);
    if (child != null) {
      child.stop(STOP);
    }
  }

  private void forgetExit() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // the JVM is ending, and the hook finds nothing left to do
    }
  }

  private void leaveTemporaryDirectory() {
    if (keepsLogs) {
      System.err.println("the logs of the control plane are in " + directory);
    } else {
      PrivateFiles.deleteTree(directory);
    }
  }

  /** At the end of the JVM there is no time for politeness: etcd is made for worse. */
  private void killAll() {
    List<Child> alive = new ArrayList<>(children.values());
    alive.addAll(moreApiServers);
    alive.forEach(Child::kill);
    boolean ended = alive.stream().allMatch(child -> child.ends(AT_EXIT));
    if (ended && options.directory() == null && !keepsLogs) {
      PrivateFiles.deleteTree(directory);
    }
  }
}
