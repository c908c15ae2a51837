package dev.sluice.image.oci;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;

/**
 * Writes an archive in the format ustar. The same entries give the same bytes: every entry has the
 * same time of modification, and no name of a user or a machine is written.
 */
final class TarWriter implements AutoCloseable {
  private static final int BLOCK = 512;
  private static final int NAME = 100;
  private static final int PREFIX_AT = 345;
  private static final int PREFIX = 155;
  private static final int CHECKSUM_AT = 148;
  private static final int CHECKSUM = 8;
  private static final int FILE_MODE = 0644;
  private static final int PROGRAM_MODE = 0755;
  private static final int LINK_MODE = 0777;

  private final OutputStream out;
  private final long seconds;

  /** Writes to this stream, with this time of modification everywhere. */
  TarWriter(OutputStream out, Instant modified) {
    this.out = out;
    this.seconds = modified.getEpochSecond();
  }

  void write(Entry entry) throws IOException {
    switch (entry) {
      case Entry.Folder folder ->
          out.write(header(folder.path() + "/", '5', folder.mode(), folder.owner(), 0, ""));
      case Entry.Link link ->
          out.write(header(link.path(), '2', LINK_MODE, Entry.ROOT, 0, link.target()));
      case Entry.Bytes bytes -> {
        out.write(header(bytes.path(), '0', FILE_MODE, Entry.ROOT, bytes.content().length, ""));
        out.write(bytes.content());
        pad(bytes.content().length);
      }
      case Entry.Copy copy -> copy(copy.path(), copy.source(), copy.executable());
    }
  }

  private void copy(String path, Path source, boolean executable) throws IOException {
    long size = Files.size(source);
    out.write(header(path, '0', executable ? PROGRAM_MODE : FILE_MODE, Entry.ROOT, size, ""));
    long copied;
    try (InputStream in = Files.newInputStream(source)) {
      copied = in.transferTo(out);
    }
    if (copied != size) {
      throw new IOException(
          "%s: %d bytes read (expected: %d, its size before)".formatted(source, copied, size));
    }
    pad(size);
  }

  private void pad(long size) throws IOException {
    out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
  }

  private byte[] header(String path, char type, int mode, int owner, long size, String target)
      throws IOException {
    byte[] header = new byte[BLOCK];
    int split = split(path);
    text(header, 0, NAME, path.substring(split == 0 ? 0 : split + 1));
    octal(header, 100, 8, mode);
    octal(header, 108, 8, owner);
    octal(header, 116, 8, owner);
    octal(header, 124, 12, size);
    octal(header, 136, 12, seconds);
    header[156] = (byte) type;
    text(header, 157, NAME, target);
    text(header, 257, 6, "ustar");
    text(header, 263, 2, "00");
    text(header, PREFIX_AT, PREFIX, path.substring(0, split));
    checksum(header);
    return header;
  }

  /** Where a path is cut in two to fit; 0 where it fits as it is. */
  private static int split(String path) throws IOException {
    if (path.getBytes(UTF_8).length <= NAME) {
      return 0;
    }
    int split = path.lastIndexOf('/', Math.min(PREFIX, path.length() - 2));
    if (split <= 0 || path.substring(split + 1).getBytes(UTF_8).length > NAME) {
      throw new IOException(path + ": too long for an archive of the format ustar");
    }
    return split;
  }

  private static void text(byte[] header, int at, int most, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    if (bytes.length > most) {
      throw new IOException(
          "%s: %d bytes (expected: at most %d)".formatted(text, bytes.length, most));
    }
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private static void octal(byte[] header, int at, int width, long number) throws IOException {
    String digits = Long.toOctalString(number);
    text(header, at, width - 1, "0".repeat(Math.max(0, width - 1 - digits.length())) + digits);
  }

  /** The sum of all bytes, its own counted as blanks. */
  private static void checksum(byte[] header) throws IOException {
    Arrays.fill(header, CHECKSUM_AT, CHECKSUM_AT + CHECKSUM, (byte) ' ');
    int sum = 0;
    for (byte b : header) {
      sum += Byte.toUnsignedInt(b);
    }
    octal(header, CHECKSUM_AT, CHECKSUM - 1, sum);
    header[CHECKSUM_AT + CHECKSUM - 2] = 0;
  }

  /** Ends the archive and leaves the stream open. */
  @Override
  public void close() throws IOException {
    out.write(new byte[2 * BLOCK]);
  }
}
