package dev.sluice.server.history;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lines in files of a folder, the segments, to which lines are only appended. When all segments
 * together are larger than the bound, the oldest one is dropped. A line that a crash cut in half is
 * removed at the start. For one thread, but for {@link #segments}.
 *
 * <p>What was appended survives the end of the process. It survives the end of the machine after
 * {@link #sync}.
 */
final class SegmentStore implements AutoCloseable {
  /** How many segments the bound is made of. */
  private static final int SEGMENTS = 16;

  private static final long SMALLEST_SEGMENT = 4 << 10;
  private static final int BLOCK = 1 << 16;

  private final Path folder;
  private final long bound;
  private final long segmentBound;
  private final FileChannel lockFile;
  private final FileLock lock;
  private final TreeMap<Long, Long> sizes = new TreeMap<>();
  private @Nullable FileChannel last;
  private boolean dirty;
  private long cut;

  private SegmentStore(Path folder, long bound, FileChannel lockFile, FileLock lock) {
    this.folder = folder;
    this.bound = bound;
    this.segmentBound = Math.max(SMALLEST_SEGMENT, bound / SEGMENTS);
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Opens the folder, which is created if it is not there.
   *
   * @param bound of all segments together, in bytes
   * @throws IOException if the folder cannot be used, or another process uses it
   */
  static SegmentStore open(Path folder, long bound) throws IOException {
    Files.createDirectories(folder);
    FileChannel lockFile =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = locked(lockFile);
      if (lock == null) {
        throw new IOException(folder + ": another process keeps its history there");
      }
      SegmentStore store = new SegmentStore(folder, bound, lockFile, lock);
      store.recover();
      return store;
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  private static @Nullable FileLock locked(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException _) { // of this very process
      return null;
    }
  }

  private void recover() throws IOException {
    for (long number : HistoryFiles.numbers(folder)) {
      sizes.put(number, Files.size(path(number)));
    }
    if (!sizes.isEmpty()) {
      long number = sizes.lastKey();
      try (FileChannel file =
          FileChannel.open(path(number), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        long whole = endOfLastLine(file);
        cut = file.size() - whole;
        file.truncate(whole);
        sizes.put(number, whole);
      }
    }
    drop();
  }

  private static long endOfLastLine(FileChannel file) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    for (long end = file.size(); end > 0; ) {
      long begin = Math.max(0, end - BLOCK);
      block.clear().limit((int) (end - begin));
      while (block.hasRemaining() && file.read(block, begin + block.position()) >= 0) {
        // until the block is there
      }
      for (int i = block.position() - 1; i >= 0; i--) {
        if (block.get(i) == '\n') {
          return begin + i + 1;
        }
      }
      end = begin;
    }
    return 0;
  }

  private Path path(long number) {
    return HistoryFiles.path(folder, number);
  }

  /** How many bytes of a torn line were removed at the start. */
  long cut() {
    return cut;
  }

  /**
   * Appends whole lines. After an exception, none of them is there.
   *
   * @return how many segments were dropped
   */
  int append(List<byte[]> lines) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(lines.stream().mapToInt(it -> it.length).sum());
    lines.forEach(all::put);
    all.flip();
    FileChannel file = writable();
    long number = lastNumber();
    long before = size(number);
    try {
      while (all.hasRemaining()) {
        file.write(all);
      }
    } catch (IOException e) {
      file.truncate(before); // half a line must not stand before the next one
      throw e;
    }
    dirty = true;
    synchronized (this) {
      sizes.put(number, before + all.limit());
    }
    if (before + all.limit() >= segmentBound) {
      closeLast();
    }
    return drop();
  }

  private synchronized long lastNumber() {
    return sizes.lastKey();
  }

  private synchronized long size(long number) {
    return sizes.getOrDefault(number, 0L);
  }

  private FileChannel writable() throws IOException {
    FileChannel file = last;
    if (file != null) {
      return file;
    }
    synchronized (this) {
      boolean goesOn = !sizes.isEmpty() && sizes.lastEntry().getValue() < segmentBound;
      if (!goesOn) {
        sizes.put(sizes.isEmpty() ? 1 : sizes.lastKey() + 1, 0L);
      }
    }
    FileChannel opened =
        FileChannel.open(
            path(lastNumber()),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND);
    last = opened;
    return opened;
  }

  private int drop() throws IOException {
    int dropped = 0;
    while (true) {
      long oldest;
      synchronized (this) {
        long total = sizes.values().stream().mapToLong(Long::longValue).sum();
        if (sizes.size() < 2 || total <= bound) {
          return dropped;
        }
        oldest = sizes.firstKey();
        sizes.remove(oldest);
      }
      Files.deleteIfExists(path(oldest));
      dropped++;
    }
  }

  /** Writes to the disk what is not there yet. */
  void sync() throws IOException {
    FileChannel file = last;
    if (dirty && file != null) {
      file.force(false);
    }
    dirty = false;
  }

  private void closeLast() throws IOException {
    sync();
    FileChannel file = last;
    last = null;
    if (file != null) {
      file.close();
    }
  }

  /** The numbers of the segments and their sizes in whole lines, for any thread. */
  synchronized Map<Long, Long> segments() {
    return new TreeMap<>(sizes);
  }

  @Override
  public void close() throws IOException {
    try (lockFile) {
      closeLast();
      lock.release();
    }
  }
}
