package dev.sluice.quota.recording;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/** Reads what a {@link ByteWriter} wrote. For one thread. */
final class ByteReader {
  private final List<String> words = new ArrayList<>();
  private byte[] bytes = new byte[0];
  private int at;

  /** The next bytes of the same writer; what was left of the last ones is dropped. */
  void give(byte[] more) {
    bytes = more;
    at = 0;
  }

  boolean isAtEnd() {
    return at == bytes.length;
  }

  void forget() {
    words.clear();
  }

  int octet() {
    if (at == bytes.length) {
      throw new MalformedRecordingException("a record ends too early");
    }
    return bytes[at++] & 0xff;
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = octet();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new MalformedRecordingException("a number is too long");
  }

  /** A number of things that follow, each of which takes a byte at least. */
  int count() {
    long count = number();
    if (count < 0 || count > bytes.length - at) {
      throw new MalformedRecordingException(count + " items (expected: fewer than bytes)");
    }
    return (int) count;
  }

  long signed() {
    long value = number();
    return (value >>> 1) ^ -(value & 1);
  }

  String text() {
    int word = (int) number();
    if (word != 0) {
      if (word < 0 || word > words.size()) {
        throw new MalformedRecordingException("text " + word + " is not known");
      }
      return words.get(word - 1);
    }
    int length = count();
    String text = new String(bytes, at, length, UTF_8);
    at += length;
    if (words.size() == ByteWriter.MOST_WORDS) {
      words.clear();
    }
    words.add(text);
    return text;
  }
}
