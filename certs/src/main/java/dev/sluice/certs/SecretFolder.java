package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.FOLDER_IN_USE;
import static dev.sluice.certs.CertificateProblem.Reason.UNWRITABLE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that only its owner can enter, with files that only their owner can read. A file is
 * replaced whole or not at all: it is written beside its place, forced to the disk and renamed, so
 * that a process killed in between leaves the old file and a leftover, which {@link #clean} takes
 * away. Where the file system knows no POSIX rights, they are left to the operating system.
 */
final class SecretFolder {
  private static final Logger log = LoggerFactory.getLogger(SecretFolder.class);

  private static final String LOCK = ".lock";
  private static final Duration LOCK_RETRY = Duration.ofMillis(20);
  private static final Set<PosixFilePermission> OWNER_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");

  /**
   * One for the process: a file lock keeps other processes out but not our own threads, and POSIX
   * drops it as soon as any of them closes the file.
   */
  private static final ReentrantLock ours = new ReentrantLock();

  private final Path dir;
  private final boolean posix;

  private SecretFolder(Path dir) {
    this.dir = dir;
    this.posix = dir.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Makes the folder if need be, and private in any case. */
  static SecretFolder open(Path dir) {
    var folder = new SecretFolder(dir);
    try {
      Files.createDirectories(dir, folder.rights(OWNER_FOLDER));
      folder.tighten(dir, OWNER_FOLDER);
      return folder;
    } catch (IOException e) {
      throw folder.unwritable(dir, e);
    }
  }

  Path file(String name) {
    return dir.resolve(name);
  }

  /** Locks the folder against all other users, in this process and in others, until closed. */
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits for the lock for as long as {@code patience}. */
  Hold hold(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      if (!ours.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw inUse(patience);
      }
      try {
        FileChannel channel = lock(deadline, patience);
        return () -> release(channel);
      } catch (Throwable notHeld) {
        ours.unlock();
        throw notHeld;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw inUse(patience);
    } catch (IOException e) {
      throw unwritable(file(LOCK), e);
    }
  }

  private FileChannel lock(long deadline, Duration patience)
      throws IOException, InterruptedException {
    var channel = FileChannel.open(file(LOCK), Set.of(CREATE, WRITE), rights(OWNER_FILE));
    try {
      while (channel.tryLock() == null) {
        if (System.nanoTime() - deadline >= 0) {
          throw inUse(patience);
        }
        Thread.sleep(LOCK_RETRY);
      }
      return channel;
    } catch (Throwable notLocked) {
      channel.close();
      throw notLocked;
    }
  }

  private void release(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      log.warn("{}: cannot be closed", file(LOCK), e);
    } finally {
      ours.unlock();
    }
  }

  /** Takes away what a killed writer of this file left, and rights that others have to it. */
  void clean(String name) {
    try {
      Files.deleteIfExists(temporary(name));
      if (Files.exists(file(name))) {
        tighten(file(name), OWNER_FILE);
      }
    } catch (IOException e) {
      throw unwritable(file(name), e);
    }
  }

  /** Replaces the file in one step; when this returns, it is on the disk. */
  void write(String name, String text) {
    try {
      Path written = temporary(name);
      Files.deleteIfExists(written);
      force(written, text);
      Files.move(written, file(name), ATOMIC_MOVE);
      forceFolder();
    } catch (IOException e) {
      throw unwritable(file(name), e);
    }
  }

  private void force(Path file, String text) throws IOException {
    try (var channel = FileChannel.open(file, Set.of(CREATE_NEW, WRITE), rights(OWNER_FILE))) {
      var bytes = ByteBuffer.wrap(text.getBytes(US_ASCII));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  private void forceFolder() throws IOException {
    if (posix) { // elsewhere a folder cannot be opened like a file
      try (var channel = FileChannel.open(dir, READ)) {
        channel.force(true);
      }
    }
  }

  private Path temporary(String name) {
    return dir.resolve(
        "." + name + ".tmp"); // one name is enough: the writer holds the lock of the folder
  }

  private void tighten(Path path, Set<PosixFilePermission> wanted) throws IOException {
    if (!posix) {
      return;
    }
    var found = Files.getPosixFilePermissions(path);
    if (!found.equals(wanted)) {
      Files.setPosixFilePermissions(path, wanted);
      log.warn(
          "{} had the rights {}, now {}: others may have seen what is in it",
          path,
          PosixFilePermissions.toString(found),
          PosixFilePermissions.toString(wanted));
    }
  }

  private FileAttribute<?>[] rights(Set<PosixFilePermission> wanted) {
    return posix
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(wanted)}
        : new FileAttribute<?>[0];
  }

  private CertificateProblem inUse(Duration patience) {
    return new CertificateProblem(
        FOLDER_IN_USE,
        dir + ": in use by another process, waited for " + patience + ": stop it, or use another");
  }

  private CertificateProblem unwritable(Path path, IOException cause) {
    return new CertificateProblem(
        UNWRITABLE,
        path + ": cannot be written or made private to its owner, who must be this user: " + cause,
        cause);
  }
}
