package dev.sluice.server.history;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.HistoryTracker;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a history in pages, while it is written. After the last segment follow the
 * present quotas and what is held now, as the segment {@link #OPEN}. Thread-safe.
 */
public final class HistoryPages {
  /** The number of what is held now, after all segments. */
  public static final long OPEN = -1;

  /** The most lines of a page. */
  public static final int MOST_LINES = 5_000;

  /** What is read for one page at most, so that lines that are too old do not make it slow. */
  private static final long MOST_BYTES = 4 << 20;

  private static final int LONGEST_LINE = 1 << 20;

  private final long instance;
  private final Path folder;
  private final HistoryTracker tracker;
  private final InstantSource clock;

  HistoryPages(long instance, Path folder, HistoryTracker tracker, InstantSource clock) {
    this.instance = instance;
    this.folder = folder;
    this.tracker = tracker;
    this.clock = clock;
  }

  /** A number that no other history has, so that places of another replica are not mixed up. */
  public long instance() {
    return instance;
  }

  /**
   * A place between two lines.
   *
   * @param segment 0 for the oldest one that is there
   * @param offset in bytes; in {@link #OPEN}, in lines
   */
  public record Place(long segment, long offset) {
    /** Before the first line. */
    public static final Place START = new Place(0, 0);
  }

  /**
   * Some lines.
   *
   * @param next where the next page begins; null after the last one
   */
  public record Page(List<ObjectNode> lines, @Nullable Place next) {
    public Page {
      lines = List.copyOf(lines);
    }
  }

  /**
   * The lines from that place on that are not older than {@code since}. It may have fewer than the
   * limit, or none, and still not be the last page.
   *
   * @throws IOException if a file cannot be read
   */
  public Page read(Place from, Instant since, int limit) throws IOException {
    if (from.segment() == OPEN) {
      return open((int) Math.min(Integer.MAX_VALUE, Math.max(0, from.offset())), limit);
    }
    List<Long> numbers = HistoryFiles.numbers(folder);
    Optional<Long> number = numbers.stream().filter(it -> it >= from.segment()).findFirst();
    if (number.isEmpty()) {
      return new Page(List.of(), new Place(OPEN, 0));
    }
    long offset = number.get() == from.segment() ? Math.max(0, from.offset()) : 0;
    return segment(number.get(), offset, since, limit);
  }

  private Page open(int offset, int limit) {
    List<HistoryLine> all = tracker.open(clock.instant());
    int end = Math.min(all.size(), Math.min(offset, all.size()) + limit);
    List<ObjectNode> lines =
        all.subList(Math.min(offset, all.size()), end).stream().map(HistoryJson::write).toList();
    return new Page(lines, end < all.size() ? new Place(OPEN, end) : null);
  }

  private Page segment(long number, long offset, Instant since, int limit) throws IOException {
    List<ObjectNode> lines = new ArrayList<>();
    long place = offset;
    try (InputStream in =
        new BufferedInputStream(Files.newInputStream(HistoryFiles.path(folder, number)), 1 << 16)) {
      in.skipNBytes(Math.min(offset, Files.size(HistoryFiles.path(folder, number))));
      while (lines.size() < limit && place - offset < MOST_BYTES) {
        byte[] text = line(in);
        if (text.length == 0) {
          return new Page(lines, new Place(number + 1, 0));
        }
        place += text.length;
        HistoryJson.read(new String(text, StandardCharsets.UTF_8))
            .filter(it -> !it.at().isBefore(since))
            .map(HistoryJson::write)
            .ifPresent(lines::add);
      }
    } catch (NoSuchFileException _) { // it was dropped meanwhile
      return new Page(lines, new Place(number + 1, 0));
    }
    return new Page(lines, new Place(number, place));
  }

  /** A whole line with its end; empty where there is none. */
  private static byte[] line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    for (int next = in.read(); next >= 0 && line.size() < LONGEST_LINE; next = in.read()) {
      line.write(next);
      if (next == '\n') {
        return line.toByteArray();
      }
    }
    return new byte[0];
  }
}
