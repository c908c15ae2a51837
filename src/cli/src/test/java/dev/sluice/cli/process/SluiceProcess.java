package dev.sluice.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The program in a process of its own, which can be killed and restarted. Its output goes to files.
 * It ends with this JVM. For one thread.
 */
public final class SluiceProcess implements AutoCloseable {
  private static final Path JAR = Path.of("target", "sluice", "sluice.jar").toAbsolutePath();
  private static final Path SERVER_JAR =
      Path.of("..", "server", "target", "sluice", "sluice-server.jar").toAbsolutePath();
  private static final Set<String> ROLES = Set.of("run", "serve", "schedule", "see", "install");
  private static final Duration PATIENCE = Duration.ofMinutes(3); // a whole cluster starts in it
  private static final int TAIL = 30;

  /** Quick to start, for tests that look at what the program does and not at how fast. */
  public static final List<String> QUICK =
      List.of(
          "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError", "-Xmx256m");

  private final List<String> command;
  private final Map<String, String> environment;
  private final Path folder;
  private final Path out;
  private final Path err;
  private volatile Process process; // read at exit

  private SluiceProcess(
      Path folder,
      Map<String, String> environment,
      List<String> flags,
      List<String> program,
      String... args)
      throws IOException {
    this.environment = environment;
    this.command = new ArrayList<>();
    command.add(java());
    command.addAll(flags);
    command.addAll(program);
    command.addAll(List.of(args));
    this.folder = folder;
    this.out = Files.createTempFile(folder, args[0], ".out");
    this.err = Files.createTempFile(folder, args[0], ".err");
    this.process = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(this::destroy, "sluice-process-at-exit"));
  }

  /**
   * Starts a command of the packaged program, a role from the jar that holds only the roles; its
   * output goes to files in that folder.
   */
  public static SluiceProcess start(Path folder, String... args) throws IOException {
    Path jar = ROLES.contains(args[0]) ? SERVER_JAR : JAR;
    assertThat(jar).as("packaged before this test").exists();
    return new SluiceProcess(folder, Map.of(), QUICK, List.of("-jar", jar.toString()), args);
  }

  /** The packaged program as a shell starts it, to be followed by a command. */
  public static String commandLine() {
    assertThat(JAR).as("packaged before this test").exists();
    return java() + " " + String.join(" ", QUICK) + " -jar " + JAR;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Starts a command from the classes under test, which need not be packaged. */
  public static SluiceProcess startFromClasses(Path folder, String... args) throws IOException {
    return startFromClasses(folder, Map.of(), args);
  }

  /** The same with these variables in its environment, too. */
  public static SluiceProcess startFromClasses(
      Path folder, Map<String, String> environment, String... args) throws IOException {
    return new SluiceProcess(folder, environment, QUICK, classesUnderTest(), args);
  }

  /** The same as a release, which tells its version. */
  public static SluiceProcess startRelease(Release release, Path folder, String... args)
      throws IOException {
    String classPath = release.jar() + File.pathSeparator + System.getProperty("java.class.path");
    return new SluiceProcess(
        folder, Map.of(), QUICK, List.of("-cp", classPath, "dev.sluice.cli.Main"), args);
  }

  /** The same in a JVM with these flags and no others, and with these variables. */
  public static SluiceProcess startFromClasses(
      Path folder, List<String> flags, Map<String, String> environment, String... args)
      throws IOException {
    return new SluiceProcess(folder, environment, flags, classesUnderTest(), args);
  }

  private static List<String> classesUnderTest() {
    return List.of("-cp", System.getProperty("java.class.path"), "dev.sluice.cli.Main");
  }

  private Process launch() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(Redirect.appendTo(out.toFile()))
            .redirectError(Redirect.appendTo(err.toFile()));
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Waits until standard output contains the text. */
  public SluiceProcess awaitOut(String text) {
    await(text)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> !process.isAlive() || out().contains(text));
    assertThat(out()).as(err()).contains(text);
    return this;
  }

  /** Waits until it ended by itself. */
  int awaitEnd() throws InterruptedException {
    return awaitEnd(PATIENCE);
  }

  /** Waits, at most that long, until it ended, and returns its exit code. */
  public int awaitEnd(Duration bound) throws InterruptedException {
    assertThat(process.waitFor(bound.toSeconds(), TimeUnit.SECONDS)).as(err()).isTrue();
    return process.exitValue();
  }

  /** Whether it ended. */
  public boolean hasEnded() {
    return !process.isAlive();
  }

  /** The processes it started that are alive. */
  List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  /** Asks it to end as a service manager does, and waits. */
  int terminate() throws InterruptedException {
    return terminate(PATIENCE);
  }

  /** Asks it to end as a service manager does, and waits, at most that long. */
  public int terminate(Duration bound) throws InterruptedException {
    process.destroy();
    return awaitEnd(bound);
  }

  /** Sends a signal such as STOP, which holds it up where it is, or CONT. */
  public void signal(String name) throws IOException, InterruptedException {
    Shell.signal(process.pid(), name);
  }

  /** Ends it without a last word. */
  public void kill() {
    process.destroyForcibly().onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Kills the process if it runs, and starts the same command again at once. */
  public void restart() throws IOException {
    kill();
    process = launch();
  }

  /** What it wrote to standard output so far. */
  public String out() {
    return read(out);
  }

  /** The kubeconfig that a dev-cluster, which has started, said how to use. */
  public String printedKubeconfig() {
    return out()
        .lines()
        .filter(line -> line.contains("export KUBECONFIG="))
        .map(line -> line.substring(line.indexOf('=') + 1))
        .findFirst()
        .orElseThrow();
  }

  /** What it wrote to standard error so far. */
  public String err() {
    return read(err);
  }

  /** Its process id; another after a restart. */
  public long pid() {
    return process.pid();
  }

  /** How much it wrote so far, in bytes. */
  public long outputBytes() {
    return size(out) + size(err);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its latest output, to report with a failed test. */
  public String tail() {
    List<String> lines = (out() + err()).lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void destroy() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    kill();
  }
}
