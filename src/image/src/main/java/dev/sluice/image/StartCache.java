package dev.sluice.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * Makes the file from which the JVM of the image takes classes that are loaded, verified and linked
 * already.
 */
record StartCache(Tool tool, Path java) {
  /** The header has checksums, which a JVM looks at on demand only. */
  private static final int HEADER = 4096;

  private static final Duration LONGEST_DUMP = Duration.ofMinutes(10);

  /**
   * Writes the file so that two calls write the same bytes.
   *
   * @param programJar at a place whose end is that of the image, with the time it has there
   */
  void write(SortedSet<String> classes, Path programJar, Path cache) throws IOException {
    Path list = Files.write(tool.folder().resolve("classes"), classes);
    Path again = tool.folder().resolve("again.jsa");
    dump(list, programJar, cache);
    dump(list, programJar, again);
    dropTimes(cache, again);
    Files.delete(again);
  }

  private void dump(Path list, Path programJar, Path cache) throws IOException {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(Role.SERVE.options());
    command.addAll(
        List.of(
            "-Xshare:dump",
            "-XX:+AOTClassLinking",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + cache,
            "-cp",
            programJar.toString()));
    tool.run(command);
  }

  /**
   * Two dumps of one list differ in the checksums of the header, and in the times at which soft
   * references were last used: milliseconds since the machine was started. Both become zero, in
   * which case such a reference is one of the first to be cleared. Any other difference fails.
   */
  static void dropTimes(Path cache, Path again) throws IOException {
    try (FileChannel one =
            FileChannel.open(cache, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel two = FileChannel.open(again, StandardOpenOption.READ)) {
      if (one.size() != two.size() || one.size() > Integer.MAX_VALUE) {
        throw new ImageException(
            "%s: %d bytes, and %d from the same classes (expected: the same)"
                .formatted(cache.getFileName(), one.size(), two.size()));
      }
      ByteBuffer first = one.map(MapMode.READ_WRITE, 0, one.size()).order(ByteOrder.LITTLE_ENDIAN);
      ByteBuffer second = two.map(MapMode.READ_ONLY, 0, two.size()).order(ByteOrder.LITTLE_ENDIAN);
      dropTimes(first, second);
    }
  }

  /** Each garbage collection sets the time of soft references while classes are loaded. */
  private static boolean isNear(long time, long first) {
    return Math.abs(time - first) < LONGEST_DUMP.toMillis();
  }

  private static void dropTimes(ByteBuffer first, ByteBuffer second) {
    for (int at = 0; at < HEADER; at += Integer.BYTES) {
      if (first.getInt(at) != second.getInt(at)) {
        first.putInt(at, 0);
      }
    }
    long firstTime = 0;
    long secondTime = 0;
    for (int at = HEADER; at + Long.BYTES <= first.capacity(); at += Long.BYTES) {
      long a = first.getLong(at);
      long b = second.getLong(at);
      if (a == b) {
        continue;
      }
      if (firstTime == 0) {
        firstTime = a;
        secondTime = b;
      }
      if (a <= 0 || b <= a || !isNear(a, firstTime) || !isNear(b, secondTime)) {
        throw new ImageException(
            "two files of the same classes differ at byte %d (expected: in times only)"
                .formatted(at));
      }
      first.putLong(at, 0);
    }
  }
}
