package dev.sluice.cli.report;

import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.server.history.HistoryFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;

/** A history in a folder. */
record FolderHistory(Path folder) {
  /**
   * Reads all lines, then what is still held after the last one.
   *
   * @param now until when that is held
   * @throws IOException if it cannot be read
   */
  void read(Consumer<HistoryLine> lines, Instant now) throws IOException {
    HistoryTracker tracker = new HistoryTracker();
    HistoryFiles.read(
        folder,
        line -> {
          tracker.replay(line);
          lines.accept(line);
        });
    tracker.open(now).forEach(lines);
  }
}
