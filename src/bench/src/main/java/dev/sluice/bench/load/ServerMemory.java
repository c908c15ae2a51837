package dev.sluice.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a server's process holds.
 *
 * @param residentBytes by the system's count; a JVM gives little of it back
 * @param liveHeapBytes reachable objects, after a collection
 */
public record ServerMemory(long residentBytes, long liveHeapBytes) {
  /** Nothing is known: no server was looked at, or the system does not tell. */
  public static final ServerMemory UNKNOWN = new ServerMemory(0, 0);

  /** Looks at a JVM of the same user; has it collect its garbage. */
  public static ServerMemory of(ProcessHandle server) throws IOException {
    return new ServerMemory(residentOf(server), liveHeap(server.pid()));
  }

  /** The resident memory of a process, in bytes; zero where the system does not tell. */
  public static long residentOf(ProcessHandle process) throws IOException {
    return resident(Path.of("/proc", Long.toString(process.pid()), "status"));
  }

  private static long resident(Path status) throws IOException {
    if (!Files.isReadable(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .findFirst()
          .orElse(0);
    }
  }

  private static long liveHeap(long pid) throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process =
        new ProcessBuilder(List.of(jcmd, Long.toString(pid), "GC.class_histogram"))
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return text.lines()
        .filter(line -> line.startsWith("Total"))
        .mapToLong(line -> Long.parseLong(line.trim().split(" +", -1)[2]))
        .findFirst()
        .orElse(0);
  }
}
