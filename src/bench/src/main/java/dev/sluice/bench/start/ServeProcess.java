package dev.sluice.bench.start;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.bench.flow.Processes;
import dev.sluice.bench.server.Target;
import dev.sluice.bench.server.Yardstick;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The webhook server as its users start it, with a view of the cluster. */
final class ServeProcess implements AutoCloseable {
  /** The memory limit of the Deployment that {@code sluice install} prints. */
  private static final String LIMIT = "-XX:MaxRAM=512m";

  private static final String GOOD = "HTTP/1.0 200"; // or HTTP/1.1

  private static final Duration READY = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Process process;
  private final URI pages;
  private final Path data;
  private final int port;
  private final long began;

  private ServeProcess(Process process, URI pages, Path data, int port, long began) {
    this.process = process;
    this.pages = pages;
    this.data = data;
    this.port = port;
    this.began = began;
  }

  /**
   * Starts it; it may not answer yet.
   *
   * @param program the launcher; it must become the JVM and not start it
   * @param folder for its certificates and its log; not there yet
   */
  static ServeProcess start(String program, Path kubeconfig, Path folder) throws IOException {
    Files.createDirectory(folder);
    int port = Ports.free();
    int plain = Ports.free();
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    program,
                    "serve",
                    "--kubeconfig=" + kubeconfig,
                    "--no-inject",
                    "--data=" + folder.resolve("data"),
                    "--host=127.0.0.1",
                    "--port=" + port,
                    "--http-port=" + plain))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile());
    builder.environment().put("SLUICE_JAVA_OPTS", LIMIT);
    long began = System.nanoTime();
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    URI pages = URI.create("http://127.0.0.1:" + plain);
    return new ServeProcess(process, pages, folder.resolve("data"), port, began);
  }

  /**
   * Waits until that page is good, such as {@code /healthz} or {@code /readyz}.
   *
   * @return the time since the start
   * @throws IOException if it ends, or the page is not good within two minutes
   */
  Duration awaitPage(String page) throws IOException {
    if (!Poll.until(READY, PAUSE, () -> !process.isAlive() || isGood(page)) || !process.isAlive()) {
      Path log = data.resolveSibling("log");
      throw new IOException("serve does not answer " + page + ": " + Files.readString(log).strip());
    }
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** Asks by a bare socket: a client library that has just started would take much of the time. */
  private boolean isGood(String page) {
    try (Socket socket = new Socket(pages.getHost(), pages.getPort())) {
      socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
      OutputStream out = socket.getOutputStream();
      out.write(("GET " + page + " HTTP/1.0\r\n\r\n").getBytes(ISO_8859_1));
      out.flush();
      byte[] status = socket.getInputStream().readNBytes(GOOD.length());
      return new String(status, ISO_8859_1).endsWith(" 200");
    } catch (IOException _) {
      return false; // not listening yet
    }
  }

  /** How to send reviews to it. */
  Target target() throws IOException {
    return new Target(
        Yardstick.SLUICE, port, Files.readString(data.resolve("certs").resolve("ca.crt")));
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  @Override
  public void close() {
    Processes.end(process);
  }
}
