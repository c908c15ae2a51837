package dev.sluice.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects JSON text in UTF-8. Grows by whole segments, so that a large answer is never copied
 * while it grows.
 */
public final class JsonOutput {
  private static final int FIRST_SEGMENT = 1 << 10;
  private static final int LARGEST_SEGMENT = 1 << 16;
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private final List<byte[]> full = new ArrayList<>();
  private byte[] current;
  private int used;
  private long fullBytes;

  /** An output for text of any length. */
  public JsonOutput() {
    this(FIRST_SEGMENT);
  }

  /** An output for text of about this many bytes. */
  public JsonOutput(int expected) {
    current = new byte[Math.clamp(expected, 16, LARGEST_SEGMENT)];
  }

  /** The number of bytes written so far. */
  public long length() {
    return fullBytes + used;
  }

  /** What was written, as segments in their order; later writes do not change them. */
  public List<byte[]> segments() {
    List<byte[]> segments = new ArrayList<>(full);
    segments.add(Arrays.copyOf(current, used));
    return segments;
  }

  /** What was written, in one piece. */
  public byte[] toByteArray() {
    byte[] all = new byte[Math.toIntExact(length())];
    int at = 0;
    for (byte[] segment : full) {
      System.arraycopy(segment, 0, all, at, segment.length);
      at += segment.length;
    }
    System.arraycopy(current, 0, all, at, used);
    return all;
  }

  /** What was written, as a value; the caller answers for its being exactly one. */
  public JsonSlice toSlice() {
    return JsonSlice.ofWhole(toByteArray());
  }

  /** Writes JSON text that consists of ASCII only. */
  public void writeAscii(String json) {
    writeAscii(json, 0, json.length());
  }

  @SuppressWarnings("deprecation") // copies the low bytes of the characters, which is all of ASCII
  private void writeAscii(String text, int from, int to) {
    if (to - from <= current.length - used) {
      text.getBytes(from, to, current, used);
      used += to - from;
      return;
    }
    for (int i = from; i < to; i++) {
      write(text.charAt(i));
    }
  }

  /** Writes a string value: quoted, with the fewest escapes; a lone surrogate is escaped. */
  public void writeText(String text) {
    write('"');
    int at = 0;
    while (at < text.length()) {
      int plain = endOfPlain(text, at);
      writeAscii(text, at, plain);
      at = plain < text.length() ? writeOdd(text, plain) : plain;
    }
    write('"');
  }

  /** Where the run of characters ends that are written as they are, in one byte each. */
  private static int endOfPlain(String text, int from) {
    int i = from;
    while (i < text.length() && isPlain(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c < 0x80 && c != '"' && c != '\\';
  }

  /** Writes the character at this index, which is not plain; returns the index after it. */
  private int writeOdd(String text, int index) {
    char c = text.charAt(index);
    if (c < 0x80) {
      writeEscaped(c);
    } else if (Character.isSurrogate(c)) {
      return index + 1 + writeSurrogate(text, index);
    } else {
      writeUtf8(c);
    }
    return index + 1;
  }

  void write(char ascii) {
    if (used == current.length) {
      nextSegment();
    }
    current[used++] = (byte) ascii;
  }

  void write(byte[] bytes, int start, int length) {
    int from = start;
    int left = length;
    while (left > 0) {
      if (used == current.length) {
        nextSegment();
      }
      int part = Math.min(left, current.length - used);
      System.arraycopy(bytes, from, current, used, part);
      used += part;
      from += part;
      left -= part;
    }
  }

  private void nextSegment() {
    full.add(current);
    fullBytes += current.length;
    current = new byte[Math.min(LARGEST_SEGMENT, current.length * 2)];
    used = 0;
  }

  private void writeEscaped(char c) {
    write('\\');
    switch (c) {
      case '"', '\\' -> write(c);
      case '\b' -> write('b');
      case '\f' -> write('f');
      case '\n' -> write('n');
      case '\r' -> write('r');
      case '\t' -> write('t');
      default -> writeUnicodeEscape(c);
    }
  }

  private void writeUnicodeEscape(char c) {
    write('u');
    write(HEX[c >> 12]);
    write(HEX[(c >> 8) & 0xf]);
    write(HEX[(c >> 4) & 0xf]);
    write(HEX[c & 0xf]);
  }

  /**
   * Writes the pair at this index, or a lone surrogate; returns how many chars it took beyond one.
   */
  private int writeSurrogate(String text, int index) {
    char c = text.charAt(index);
    if (Character.isHighSurrogate(c)
        && index + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(index + 1))) {
      writeUtf8(Character.toCodePoint(c, text.charAt(index + 1)));
      return 1;
    }
    write('\\');
    writeUnicodeEscape(c); // UTF-8 has no bytes for it
    return 0;
  }

  private void writeUtf8(int codePoint) {
    if (codePoint < 0x800) {
      write((char) (0xc0 | (codePoint >> 6)));
    } else {
      if (codePoint < 0x10000) {
        write((char) (0xe0 | (codePoint >> 12)));
      } else {
        write((char) (0xf0 | (codePoint >> 18)));
        write(continuation(codePoint >> 12));
      }
      write(continuation(codePoint >> 6));
    }
    write(continuation(codePoint));
  }

  private static char continuation(int bits) {
    return (char) (0x80 | (bits & 0x3f));
  }
}
