package dev.sluice.cli.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a rehearsal of a packaged program records, as {@code ./sluice} records it after a build: the
 * full tier starts about two hundred processes, and each needs a third less processor time with it.
 * The system property {@code sluice.test.quickStart} says where to keep it; only the full tier sets
 * it, which has packaged the programs before. Safe for many threads and processes.
 */
final class QuickStart {
  private static final Optional<Path> FOLDER =
      Optional.ofNullable(System.getProperty("sluice.test.quickStart"))
          .filter(folder -> !folder.isEmpty())
          .map(Path::of);
  private static final long MINUTES = 5;

  @GuardedBy("QuickStart.class")
  private static boolean failed;

  private QuickStart() {}

  /** Whether the packaged programs are those under test. */
  static boolean isPackaged() {
    return FOLDER.isPresent();
  }

  /**
   * The flags that make use of it; none where it is not wanted or cannot be had.
   *
   * @param java the JVM and its flags, as the program will be started
   */
  static List<String> flags(List<String> java, Path jar) throws IOException {
    if (FOLDER.isEmpty()) {
      return List.of();
    }
    Path folder = Files.createDirectories(FOLDER.get().toAbsolutePath());
    Path cache = folder.resolve(jar.getFileName() + ".aot");
    synchronized (QuickStart.class) {
      try (FileChannel lock =
              FileChannel.open(
                  folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = lock.lock()) {
        if (!failed && isStale(cache, jar)) {
          rehearse(java, jar, cache);
        }
      }
    }
    return Files.exists(cache) ? List.of("-XX:AOTCache=" + cache) : List.of();
  }

  private static boolean isStale(Path cache, Path jar) throws IOException {
    return !Files.exists(cache)
        || Files.getLastModifiedTime(cache).compareTo(Files.getLastModifiedTime(jar)) < 0;
  }

  @GuardedBy("QuickStart.class")
  private static void rehearse(List<String> java, Path jar, Path cache) throws IOException {
    Files.deleteIfExists(cache);
    Path made = Path.of(cache + ".new");
    List<String> command = new ArrayList<>(java);
    command.add("-XX:AOTCacheOutput=" + made);
    command.addAll(List.of("-jar", jar.toString(), "rehearse"));
    File log = Path.of(cache + ".log").toFile();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log))
            .start();
    try {
      if (process.waitFor(MINUTES, TimeUnit.MINUTES) && process.exitValue() == 0) {
        Files.move(made, cache, StandardCopyOption.REPLACE_EXISTING);
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
    failed = true;
    System.err.println("processes of tests start without a cache, see " + log);
  }
}
