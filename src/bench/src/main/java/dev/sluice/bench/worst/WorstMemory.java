package dev.sluice.bench.worst;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.bench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Measures the worst texts, each in JVMs of its own, and makes a table. */
public final class WorstMemory {
  private static final int LEAST = 4;
  private static final int MOST = 700;
  private static final int STEP = 6;
  private static final double MEBI = 1 << 20;

  private final Table table =
      new Table(
          List.of(
              "request",
              "MB",
              "status",
              "answer MB",
              "smallest heap MB",
              "charged MB",
              "heap / request"));

  /** Measures one text. */
  public void measure(WorstText text) throws IOException, InterruptedException {
    Path body = Files.createTempFile("sluice-worst", ".json");
    try {
      long bytes = text.writeTo(body);
      String[] said = new String[1];
      int heap =
          SmallestHeap.find(
              LEAST,
              MOST,
              STEP,
              mebibytes -> {
                String line = answer(body, mebibytes);
                said[0] = line.isEmpty() ? said[0] : line;
                return !line.isEmpty();
              });
      add(text, bytes, said[0].split(" ", -1), heap);
    } finally {
      Files.delete(body);
    }
  }

  private void add(WorstText text, long bytes, String[] said, int heap) {
    table.add(
        List.of(
            text.name(),
            number(bytes / 1e6),
            said[0],
            number(Long.parseLong(said[1]) / 1e6),
            number(heap * MEBI / 1e6),
            number(Long.parseLong(said[2]) / 1e6),
            number(heap * MEBI / bytes)));
  }

  /** What the probe printed in a heap of this size; empty if the heap was too small. */
  private static String answer(Path body, int mebibytes) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + mebibytes + "m",
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                WorstProbe.class.getName(),
                body.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return process.waitFor() == 0
        ? out.lines().filter(it -> it.matches("\\d+ \\d+ \\d+")).findFirst().orElse("")
        : "";
  }

  private static String number(double number) {
    return String.format(
        Locale.ROOT, number < 1 ? "%.4f" : number < 100 ? "%.1f" : "%,.0f", number);
  }

  /** What was measured. */
  public String table() {
    return table.text();
  }
}
