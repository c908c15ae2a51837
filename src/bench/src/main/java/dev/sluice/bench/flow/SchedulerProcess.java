package dev.sluice.bench.flow;

import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The scheduler as its users start it. */
public final class SchedulerProcess implements AutoCloseable {
  private static final Duration READY = Duration.ofMinutes(5); // the launcher may have to build
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI pages;
  private final Path log;

  private SchedulerProcess(Process process, URI pages, Path log) {
    this.process = process;
    this.pages = pages;
    this.log = log;
  }

  /**
   * Starts it and waits until it sees the cluster.
   *
   * @param program the launcher; it must become the JVM and not start it
   * @param jvm further options for its JVM
   * @param log takes what it says
   * @throws IOException if it ends, or is not ready within five minutes
   */
  public static SchedulerProcess start(
      String program, List<String> flags, String jvm, Path kubeconfig, Path log)
      throws IOException {
    int port = Ports.free();
    List<String> command = new ArrayList<>(List.of(program, "schedule"));
    command.addAll(List.of("--kubeconfig", kubeconfig.toString(), "--http-port=" + port));
    command.addAll(flags);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("SLUICE_JAVA_OPTS", jvm);
    Process process = builder.redirectOutput(log.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    SchedulerProcess started =
        new SchedulerProcess(process, URI.create("http://127.0.0.1:" + port), log);
    if (!Poll.until(READY, PAUSE, () -> !process.isAlive() || started.isReady())
        || !process.isAlive()) {
      started.close();
      throw new IOException(program + " schedule is not ready: " + Files.readString(log).strip());
    }
    return started;
  }

  private boolean isReady() {
    try {
      HttpResponse<String> answer = get("/readyz");
      return answer.statusCode() == 200 && answer.body().startsWith("leading");
    } catch (IOException _) {
      return false;
    }
  }

  String metrics() throws IOException {
    return get("/metrics").body();
  }

  private HttpResponse<String> get(String path) throws IOException {
    try {
      return http.send(
          HttpRequest.newBuilder(pages.resolve(path)).timeout(Duration.ofSeconds(10)).build(),
          BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** What it has said. */
  Path log() {
    return log;
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * The bytes of its heap that are in use after a full collection.
   *
   * @throws IOException if the JDK of this process cannot ask it
   */
  public long liveHeap() throws IOException {
    return Jcmd.liveHeap(process.pid());
  }

  /**
   * The threads of its system that it has.
   *
   * @throws IOException if this system cannot be asked
   */
  public int threads() throws IOException {
    return Files.readString(Path.of("/proc/" + process.pid() + "/status"))
        .lines()
        .filter(line -> line.startsWith("Threads:"))
        .mapToInt(line -> Integer.parseInt(line.replaceAll("\\D", "")))
        .sum();
  }

  @Override
  public void close() {
    http.shutdownNow();
    Processes.end(process);
  }
}
