package dev.sluice.scheduler.recorder;

import dev.sluice.quota.recording.MalformedRecordingException;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.SegmentHeader;
import dev.sluice.quota.recording.SegmentReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the segments of a folder in order, or one segment, and checks the chain between them. A
 * process that is killed leaves a torn tail, which is cut and noted. For one thread.
 */
public final class RecordingReader {
  /** Receives what is read, in order. */
  public interface Visitor {
    /**
     * A segment begins.
     *
     * @param continues whether it goes on where the one before it ended
     */
    void segment(Path file, SegmentHeader header, boolean continues);

    /** An event; whether to go on. */
    boolean event(Path file, RecordedEvent event);
  }

  private final List<String> notes = new ArrayList<>();
  private long segments;

  /** What of the last segment the next one has to agree with. */
  private record End(Path file, String run, int ordinal, long sequence, String hash, int cut) {}

  /**
   * Reads the segments of a folder, or the one segment.
   *
   * @throws IOException if a file cannot be read, or there is none
   * @throws MalformedRecordingException naming the segment that is damaged, missing, or of another
   *     version
   */
  public void read(Path recording, Visitor visitor) throws IOException {
    List<Path> files =
        Files.isDirectory(recording) ? SegmentFiles.in(recording) : List.of(recording);
    if (files.isEmpty()) {
      throw new IOException(recording + " has no segment (expected: files *.rec)");
    }
    End last = null;
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      if (files.size() > 1 && SegmentReader.endsInHeader(bytes)) {
        notes.add(name(file) + ": the process ended before the header was written");
        continue;
      }
      try (var reader = new SegmentReader(name(file), bytes)) {
        boolean continues = last != null && last.run().equals(reader.header().run());
        check(last, file, reader.header());
        segments++;
        visitor.segment(file, reader.header(), continues);
        if (!visit(file, reader, visitor)) {
          return;
        }
        noteCut(file, reader);
        last =
            new End(
                file,
                reader.header().run(),
                reader.header().ordinal(),
                reader.sequence(),
                reader.hash(),
                reader.cut());
      }
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static boolean visit(Path file, SegmentReader reader, Visitor visitor) {
    for (RecordedEvent event = reader.next(); event != null; event = reader.next()) {
      if (!visitor.event(file, event)) {
        return false;
      }
    }
    return true;
  }

  private void noteCut(Path file, SegmentReader reader) {
    if (reader.cut() > 0) {
      notes.add(
          "%s: %d bytes after event %d are no whole frame and were cut"
              .formatted(name(file), reader.cut(), reader.sequence()));
    }
  }

  private static void check(@Nullable End last, Path file, SegmentHeader header) {
    if (last == null) {
      return; // the ones before it were dropped for their size
    }
    if (!last.run().equals(header.run())) {
      if (header.ordinal() != 0) {
        throw new MalformedRecordingException(
            "%s: segment %d of run %s is missing before it"
                .formatted(name(file), header.ordinal() - 1, header.run()));
      }
      return;
    }
    if (header.ordinal() != last.ordinal() + 1) {
      throw new MalformedRecordingException(
          "segment %d of run %s is missing between %s and %s"
              .formatted(last.ordinal() + 1, header.run(), name(last.file()), name(file)));
    }
    if (last.cut() > 0
        || !header.previous().equals(last.hash())
        || header.sequence() != last.sequence() + 1) {
      throw new MalformedRecordingException(
          "%s: the chain is broken: %s does not end where it begins"
              .formatted(name(file), name(last.file())));
    }
  }

  /** What was odd and is no damage, a sentence each. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** How many segments were read. */
  public long segments() {
    return segments;
  }
}
