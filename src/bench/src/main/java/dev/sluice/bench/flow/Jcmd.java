package dev.sluice.bench.flow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Questions to other JVMs, by the program of the JDK. */
public final class Jcmd {
  /** What a generation of the serial collector has in use. */
  private static final Pattern USED = Pattern.compile("total \\d+K, used (\\d+)K");

  private Jcmd() {}

  /**
   * The bytes of the heap of a process that are in use after a full collection.
   *
   * @throws IOException if the JDK of this process cannot ask it
   */
  public static long liveHeap(long process) throws IOException {
    ask(process, "GC.run");
    return USED.matcher(ask(process, "GC.heap_info"))
        .results()
        .mapToLong(it -> Long.parseLong(it.group(1)) * 1024)
        .sum();
  }

  private static String ask(long process, String command) throws IOException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process),
                command)
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
    try {
      if (!jcmd.waitFor(30, TimeUnit.SECONDS) || jcmd.exitValue() != 0) {
        jcmd.destroyForcibly();
        throw new IOException("jcmd " + command + ": " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return said;
  }
}
