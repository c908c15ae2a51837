package dev.sluice.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A shared library of 64-bit Linux (ELF), of which only its segments are kept: a loader maps those,
 * and what follows them are tables for debuggers. Of {@code libjvm.so} that is a sixth. No tool of
 * the machine is used, whose version would show in the digest of the image.
 */
record NativeLibrary(Path file) {
  private static final int MAGIC = 0x464c457f; // in little-endian order
  private static final int BITS = 4;
  private static final int BITS_64 = 2;
  private static final int BYTE_ORDER = 5;
  private static final int LITTLE_ENDIAN = 1;
  private static final int SEGMENTS_AT = 0x20;
  private static final int SECTIONS_AT = 0x28;
  private static final int SEGMENT_SIZE = 0x36;
  private static final int SEGMENT_COUNT = 0x38;
  private static final int SECTION_COUNT = 0x3c;
  private static final int SECTION_NAMES = 0x3e;
  private static final int HEADER = 0x40;
  private static final int OFFSET_IN_SEGMENT = 0x08;
  private static final int LENGTH_IN_SEGMENT = 0x20;

  /** Cuts the file off behind its last segment, if there is more. */
  void strip() throws IOException {
    byte[] all = Files.readAllBytes(file);
    Files.write(file, stripped(all));
  }

  private byte[] stripped(byte[] all) {
    ByteBuffer elf = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    if (all.length < HEADER
        || elf.getInt(0) != MAGIC
        || elf.get(BITS) != BITS_64
        || elf.get(BYTE_ORDER) != LITTLE_ENDIAN) {
      throw new ImageException(file.getFileName() + ": not a library of 64-bit Linux");
    }
    long end = HEADER;
    long segment = elf.getLong(SEGMENTS_AT);
    for (int i = 0; i < elf.getShort(SEGMENT_COUNT); i++) {
      int at = Math.toIntExact(segment);
      end =
          Math.max(end, elf.getLong(at + OFFSET_IN_SEGMENT) + elf.getLong(at + LENGTH_IN_SEGMENT));
      segment += elf.getShort(SEGMENT_SIZE);
    }
    end = Math.max(end, segment);
    if (end > all.length) {
      throw new ImageException(file.getFileName() + ": is cut off");
    }
    elf.putLong(SECTIONS_AT, 0);
    elf.putShort(SECTION_COUNT, (short) 0);
    elf.putShort(SECTION_NAMES, (short) 0);
    return Arrays.copyOf(all, Math.toIntExact(end));
  }
}
