package dev.sluice.cli.hostile;

import dev.sluice.cli.process.SluiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A role as a process with the flags and the memory of its container, and what can be seen of it
 * from outside. For one thread.
 */
final class Container implements AutoCloseable {
  private static final String RESET_PEAK = "5";
  private static final long MOST_LOG = 4 << 20;

  private final String role;
  private final SluiceProcess process;
  private final int plainPort;
  private long loggedBefore;
  private int outBefore;
  private int errBefore;

  private Container(String role, SluiceProcess process, int plainPort) {
    this.role = role;
    this.process = process;
    this.plainPort = plainPort;
  }

  static Container start(Path folder, String role, int plainPort, String... flags)
      throws IOException {
    String[] args = new String[flags.length + 2];
    args[0] = role;
    args[1] = "--http-port=" + plainPort;
    System.arraycopy(flags, 0, args, 2, flags.length);
    SluiceProcess process =
        SluiceProcess.startFromClasses(
            folder, LauncherFlags.of(role), LauncherFlags.environment(), args);
    return new Container(role, process, plainPort);
  }

  String role() {
    return role;
  }

  int plainPort() {
    return plainPort;
  }

  SluiceProcess process() {
    return process;
  }

  /** Forgets what was seen before. */
  void begin() throws IOException {
    loggedBefore = process.outputBytes();
    outBefore = process.out().length();
    errBefore = process.err().length();
    if (!process.hasEnded()) {
      Files.writeString(proc("clear_refs"), RESET_PEAK);
    }
  }

  /** The most memory that it held at any moment since it was told to begin, in bytes. */
  long peak() throws IOException {
    return process.hasEnded() ? 0 : kilobytes("VmHWM:") << 10;
  }

  private long kilobytes(String key) throws IOException {
    return Files.readAllLines(proc("status")).stream()
        .filter(line -> line.startsWith(key))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElse(0);
  }

  private Path proc(String file) {
    return Path.of("/proc", Long.toString(process.pid()), file);
  }

  /** What it wrote since it was told to begin. */
  String log() {
    return process.out().substring(outBefore) + "\n" + process.err().substring(errBefore);
  }

  /** What its log should not be: long, or with lines that callers wrote. */
  Optional<String> logBreach() {
    long written = process.outputBytes() - loggedBefore;
    if (written > MOST_LOG) {
      return Optional.of(
          "%s logged %d bytes (expected: at most %d)".formatted(role, written, MOST_LOG));
    }
    String text = log();
    boolean forged =
        text.indexOf('\u001b') >= 0
            || text.lines()
                .anyMatch(line -> line.matches("(2026-01-01\\S* )?" + Envelopes.FORGED + ".*"));
    return forged
        ? Optional.of(role + " has lines or control codes in its log that a caller wrote")
        : Optional.empty();
  }

  @Override
  public void close() {
    process.close();
  }
}
