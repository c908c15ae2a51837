package dev.sluice.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The machine of a run.
 *
 * @param kind its kind in a word, for file names
 * @param description its processors, system and JVM
 */
public record Machine(String kind, String description) {
  /** This machine. */
  public static Machine current() {
    int processors = Runtime.getRuntime().availableProcessors();
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return new Machine(
        "%d-cpu-%s".formatted(processors, arch),
        "%d processors (%s), %s %s, JDK %s (%s)"
            .formatted(
                processors,
                processorModel(arch),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                Runtime.version(),
                System.getProperty("java.vm.vendor")));
  }

  private static String processorModel(String otherwise) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse(otherwise);
    } catch (IOException e) {
      return otherwise;
    }
  }
}
