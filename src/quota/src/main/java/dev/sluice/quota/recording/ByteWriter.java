package dev.sluice.quota.recording;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Bytes that grow. A text that was written before is a number after that; {@link #forget} starts
 * over. For one thread.
 */
final class ByteWriter {
  /** How many texts have a number; then all are forgotten, by the writer and by the reader. */
  static final int MOST_WORDS = 1 << 15;

  private final Map<String, Integer> words = new HashMap<>();
  private byte[] bytes = new byte[1 << 12];
  private int size;

  int size() {
    return size;
  }

  /** What was written since the last call. */
  byte[] take() {
    byte[] taken = Arrays.copyOf(bytes, size);
    size = 0;
    return taken;
  }

  /** Numbers of texts mean nothing from here on. */
  void forget() {
    words.clear();
  }

  void octet(int value) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    bytes[size++] = (byte) value;
  }

  /** A number that is hardly ever negative: seven bits in each byte. */
  void number(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      octet((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    octet((int) rest);
  }

  /** A small number of either sign. */
  void signed(long value) {
    number((value << 1) ^ (value >> 63));
  }

  void text(String text) {
    Integer known = words.get(text);
    if (known != null) {
      number(known);
      return;
    }
    if (words.size() == MOST_WORDS) {
      words.clear();
    }
    words.put(text, words.size() + 1);
    octet(0);
    byte[] raw = text.getBytes(UTF_8);
    number(raw.length);
    for (byte one : raw) {
      octet(one);
    }
  }
}
