package dev.sluice.bench.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, with the JVM options that {@code ./sluice} uses. */
public final class ServerProcess implements AutoCloseable {
  /** The options of the launcher which make a difference to speed. */
  public static final List<String> JVM_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+UseCompactObjectHeaders",
          "-XX:MaxRAMPercentage=50",
          "-Xms64m",
          "-XX:NewSize=12m",
          "-XX:MaxNewSize=12m",
          "-Dio.netty.allocator.type=pooled",
          "-Dio.netty.allocator.maxOrder=4");

  private final Process process;
  private final Path folder;
  private final Target target;

  private ServerProcess(Process process, Path folder, Target target) {
    this.process = process;
    this.folder = folder;
    this.target = target;
  }

  /**
   * Starts the process, in a folder that is gone when it is closed, and waits until its server
   * answers.
   *
   * @param moreOptions further options for its JVM
   * @throws IOException if it ends before it is ready; the message has the end of its log
   */
  public static ServerProcess start(Yardstick yardstick, List<String> moreOptions)
      throws IOException {
    Path folder = Files.createTempDirectory("sluice-bench");
    Path log = folder.resolve("log");
    Path data = Files.createDirectory(folder.resolve("data"));
    Process process =
        new ProcessBuilder(command(yardstick, data, moreOptions))
            .redirectError(log.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(ServerMain.READY)) {
        int port = Integer.parseInt(line.substring(ServerMain.READY.length()));
        String trust = Files.readString(data.resolve("trust.pem"));
        return new ServerProcess(process, folder, new Target(yardstick, port, trust));
      }
    }
    throw new IOException(
        yardstick.label() + " ended before it was ready: " + Files.readString(log).strip());
  }

  private static List<String> command(Yardstick yardstick, Path data, List<String> moreOptions) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_OPTIONS);
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(moreOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ServerMain.class.getName(), yardstick.label(), data.toString()));
    return command;
  }

  /** How to reach it. */
  public Target target() {
    return target;
  }

  /** The process, to see what it uses. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Ends it: kindly first, which lets a profiler write its file. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(Duration.ofSeconds(15).toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
    Folders.delete(folder);
  }
}
