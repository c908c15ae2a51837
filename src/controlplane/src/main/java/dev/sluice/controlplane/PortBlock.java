package dev.sluice.controlplane;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A range of ports from which one process of a user takes its ports. It holds the range by a lock
 * on a file until it ends, however it ends. Otherwise a port whose server is started again, or one
 * that was just found free, could be taken by tests that run in another process.
 */
record PortBlock(int first, int count, @Nullable FileLock lock) {
  /**
   * Below the ports that systems give to outgoing connections, any of which could take a port
   * between its choice and its use.
   */
  private static final int FIRST = 20_000;

  static final int BLOCKS = 24;
  static final int SIZE = 500;

  /** The files that this process locked: to close another channel of one would release its lock. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /**
   * A block that no other process holds. If there is none, or no file can be locked, the block has
   * all ports and no lock.
   *
   * @param folder where the files are; the same for all processes that are to keep apart
   */
  static PortBlock claim(Path folder) {
    int begin = ThreadLocalRandom.current().nextInt(BLOCKS);
    try {
      Files.createDirectories(folder);
      for (int i = 0; i < BLOCKS; i++) {
        int block = (begin + i) % BLOCKS;
        FileLock lock = lock(folder.resolve("block-" + block));
        if (lock != null) {
          return new PortBlock(FIRST + block * SIZE, SIZE, lock);
        }
      }
    } catch (IOException _) {
      // the folder belongs to another user, or is not writable: as if all blocks were held
    }
    return new PortBlock(FIRST, BLOCKS * SIZE, null);
  }

  private static @Nullable FileLock lock(Path file) throws IOException {
    if (!HELD.add(file)) {
      return null;
    }
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } finally {
      if (lock == null) {
        channel.close();
        HELD.remove(file);
      }
    }
    return lock;
  }
}
