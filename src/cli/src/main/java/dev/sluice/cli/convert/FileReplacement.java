package dev.sluice.cli.convert;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the content of a file atomically: a reader finds either the old or the new content, even
 * after a power failure. The file behind a symbolic link is replaced, not the link. Permissions
 * stay; owner and group stay if this process may give files away. Another name of the same file (a
 * hard link) keeps the old content.
 */
final class FileReplacement {
  private FileReplacement() {}

  /**
   * Replaces the content.
   *
   * @param before what the file must still hold
   * @throws IOException if it cannot be done; the file then is as it was
   */
  static void replace(Path named, byte[] before, byte[] after) throws IOException {
    Path file = named.toRealPath();
    if (!Files.isRegularFile(file)) {
      throw new IOException("is no regular file");
    }
    Path folder = file.resolveSibling(".");
    Path next = Files.createTempFile(folder, ".sluice-", ".tmp");
    try {
      write(next, after);
      likeness(file, next);
      if (!Arrays.equals(before, Files.readAllBytes(file))) {
        throw new IOException("was changed by somebody else in the meantime");
      }
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
    syncFolder(folder);
  }

  private static void write(Path file, byte[] content) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        channel.write(left);
      }
      channel.force(true);
    }
  }

  private static void likeness(Path file, Path next) throws IOException {
    PosixFileAttributeView from = view(file);
    PosixFileAttributeView to = view(next);
    if (from == null || to == null) {
      return; // a file system without owners and permissions
    }
    PosixFileAttributes old = from.readAttributes();
    PosixFileAttributes now = to.readAttributes();
    try {
      if (!old.group().equals(now.group())) {
        to.setGroup(old.group());
      }
      if (!old.owner().equals(now.owner())) {
        to.setOwner(old.owner());
      }
    } catch (IOException e) {
      // only root may give files away; the content is what was asked for
    }
    to.setPermissions(old.permissions());
  }

  private static @Nullable PosixFileAttributeView view(Path file) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class);
  }

  /** Makes the new name durable; a file system that cannot do so still keeps one of both. */
  private static void syncFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // the file is in place already
    }
  }
}
