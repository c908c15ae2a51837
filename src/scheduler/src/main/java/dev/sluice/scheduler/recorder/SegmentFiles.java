package dev.sluice.scheduler.recorder;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The segments of a folder. Their names are in the order of time. For one thread. */
final class SegmentFiles {
  /** A segment that is that large is followed by another one. */
  static final long SEGMENT_BYTES = 8L << 20;

  private static final String END = ".rec";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path folder;
  private final long bytes;

  SegmentFiles(RecordingOptions options) {
    this.folder = options.folder();
    this.bytes = options.bytes();
  }

  /** All segments, the oldest first. */
  static List<Path> in(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*" + END)) {
      found.forEach(files::add);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    files.sort((a, b) -> a.getFileName().toString().compareTo(b.getFileName().toString()));
    return files;
  }

  /** A new file, after the oldest ones have made room for it. */
  OutputStream create(Instant runSince, String run, int ordinal) throws IOException {
    Files.createDirectories(folder);
    makeRoom();
    String name = "%s-%s-%05d%s".formatted(TIME.format(runSince), run, ordinal, END);
    Path file = Files.createFile(folder.resolve(name));
    return new FileOutputStream(file.toFile()); // which an interrupt does not close
  }

  private void makeRoom() throws IOException {
    List<Path> files = in(folder);
    List<Long> sizes = new ArrayList<>();
    long total = SEGMENT_BYTES;
    for (Path file : files) {
      long size = sizeOf(file);
      sizes.add(size);
      total += size;
    }
    for (int i = 0; i < files.size() && total > bytes; i++) {
      Files.deleteIfExists(files.get(i));
      total -= sizes.get(i);
    }
  }

  private static long sizeOf(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException _) {
      return 0;
    }
  }
}
