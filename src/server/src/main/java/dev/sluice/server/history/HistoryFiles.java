package dev.sluice.server.history;

import dev.sluice.see.history.HistoryLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the segments of a history, also while they are written. */
public final class HistoryFiles {
  private static final Pattern NAME = Pattern.compile("history-(\\d{1,18})\\.jsonl");

  private HistoryFiles() {}

  static Path path(Path folder, long number) {
    return folder.resolve("history-%012d.jsonl".formatted(number));
  }

  /** The numbers of the segments, the oldest first. */
  static List<Long> numbers(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(it -> NAME.matcher(it.getFileName().toString()))
          .filter(Matcher::matches)
          .map(it -> Long.valueOf(it.group(1)))
          .sorted()
          .toList();
    }
  }

  /**
   * Reads all lines in the order in which they were written.
   *
   * @return how many lines are none of a history
   * @throws IOException if there is no such folder, or a file cannot be read
   */
  public static long read(Path folder, Consumer<HistoryLine> lines) throws IOException {
    long odd = 0;
    List<Long> numbers = new ArrayList<>(numbers(folder));
    for (long number : numbers) {
      try (BufferedReader reader = reader(path(folder, number))) {
        for (String text = reader.readLine(); text != null; text = reader.readLine()) {
          Optional<HistoryLine> line = HistoryJson.read(text);
          line.ifPresent(lines);
          odd += line.isEmpty() ? 1 : 0;
        }
      } catch (NoSuchFileException _) {
        // the oldest one was dropped meanwhile
      }
    }
    return odd;
  }

  /** Bytes that are no text become signs that no line has. */
  private static BufferedReader reader(Path file) throws IOException {
    return new BufferedReader(
        new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8));
  }
}
