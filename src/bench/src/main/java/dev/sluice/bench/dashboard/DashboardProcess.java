package dev.sluice.bench.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.bench.flow.Jcmd;
import dev.sluice.bench.flow.Processes;
import dev.sluice.controlplane.Poll;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The dashboard as its users start it, beside a cluster that does not serve its API. */
final class DashboardProcess implements AutoCloseable {
  private static final Duration READY = Duration.ofMinutes(5); // the launcher may have to build
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\S+key=(\\S+)");

  private final Process process;
  private final URI address;
  private final String key;
  private final HttpClient http = HttpClient.newHttpClient();

  private DashboardProcess(Process process, URI address, String key) {
    this.process = process;
    this.address = address;
    this.key = key;
  }

  /**
   * Starts it and waits until it can answer.
   *
   * @param program the launcher; it must become the JVM and not start it
   * @param log takes what it says
   * @throws IOException if it ends, or is not ready within five minutes
   */
  static DashboardProcess start(String program, Path kubeconfig, Path log) throws IOException {
    Process process =
        new ProcessBuilder(
                program, "dashboard", "--local", "--no-browser", "--kubeconfig=" + kubeconfig)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    boolean isThere =
        Poll.until(READY, PAUSE, () -> !process.isAlive() || address(log).isPresent());
    Matcher found = address(log).orElse(null);
    if (!isThere || !process.isAlive() || found == null) {
      process.destroy();
      throw new IOException(program + " dashboard did not start: " + Files.readString(log));
    }
    DashboardProcess started =
        new DashboardProcess(process, URI.create(found.group()), found.group(1));
    if (!Poll.until(READY, PAUSE, started::isComplete)) {
      started.close();
      throw new IOException("the dashboard does not see the whole cluster: " + log);
    }
    return started;
  }

  private static Optional<Matcher> address(Path log) {
    try {
      return Optional.of(ADDRESS.matcher(Files.readString(log, UTF_8))).filter(Matcher::find);
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private boolean isComplete() {
    try {
      return http.send(request("standing", ""), BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The address of a page, with the key. */
  String page(String fragment) {
    return address.toString().replaceFirst("#.*", "#/" + fragment + "?key=" + key);
  }

  /**
   * A question as a page asks it.
   *
   * @param tag of the answer that it has; empty for none
   */
  HttpRequest request(String resource, String tag) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address.resolve("/apis/view.sluice.dev/v1alpha1/").resolve(resource))
            .timeout(PATIENCE)
            .header("X-Sluice-Key", key);
    return (tag.isEmpty() ? request : request.header("If-None-Match", tag)).build();
  }

  /** The answer to such a question. */
  HttpResponse<byte[]> ask(String resource, String tag) throws IOException {
    try {
      return http.send(request(resource, tag), BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The processor time that it has used. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** The bytes of its heap that are in use after a full collection. */
  long liveHeap() throws IOException {
    return Jcmd.liveHeap(process.pid());
  }

  @Override
  public void close() {
    http.shutdownNow();
    Processes.end(process);
  }
}
