package dev.sluice.image.oci;

import java.nio.file.Path;

/** What an archive holds under one path: relative, with {@code /} between its parts. */
public sealed interface Entry {
  /** User and group of what belongs to the system. */
  int ROOT = 0;

  /** Where it lies, such as {@code etc/passwd}. */
  String path();

  /**
   * A folder.
   *
   * @param mode its permissions, such as 0755
   * @param owner its user and group
   */
  record Folder(String path, int mode, int owner) implements Entry {}

  /**
   * A file with the content of one on disk.
   *
   * @param executable whether all users may execute it; all may read it, and none may write it
   */
  record Copy(String path, Path source, boolean executable) implements Entry {}

  /** A file with this content, which all users may read. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Bytes(String path, byte[] content) implements Entry {}

  /** A symbolic link. */
  record Link(String path, String target) implements Entry {}
}
