package dev.sluice.cli.installed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** A container of a Pod as a process, which believes that it is in a cluster. */
final class Container implements AutoCloseable {
  private final List<String> command;
  private final Path log;
  private final int httpPort;
  private final HttpClient http = HttpClient.newHttpClient();
  private Process process;

  /** Starts it; what it says is added to the log. */
  Container(Path log, int httpPort, List<String> args) {
    this.command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.sluice.cli.Main"));
    this.command.addAll(args);
    this.log = log;
    this.httpPort = httpPort;
    this.process = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "container-at-exit"));
  }

  private Process launch() {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    // with it a scheduler keeps its Lease in its own namespace; the address is never called
    builder.environment().put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it without a word, and waits until it is gone. */
  void kill() {
    process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
  }

  /** Starts it anew after a kill. */
  void restart() {
    process = launch();
  }

  /** What the page says; empty while nobody answers with 200. */
  String page(String path) {
    URI uri = URI.create("http://127.0.0.1:" + httpPort + path);
    try {
      var answer = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      return answer.statusCode() == 200 ? answer.body() : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** A meter, as its line in the metrics begins; empty if there is no such line. */
  OptionalDouble meter(String line) {
    return page("/metrics")
        .lines()
        .filter(it -> it.startsWith(line + " "))
        .mapToDouble(it -> Double.parseDouble(it.substring(it.lastIndexOf(' '))))
        .findFirst();
  }

  /** The last lines of what it said. */
  String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private void end() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    end();
    http.close();
  }
}
