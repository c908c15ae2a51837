package dev.sluice.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * How many objects, lists and values a text can have at most, counted by its brackets and commas;
 * those in strings are counted, too. It costs a small part of what checking the text costs, and
 * takes no memory.
 *
 * @param structures at least as many as there are objects and lists
 * @param values at least as many as there are values of any kind
 */
public record TextCounts(long structures, long values) {
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long ONES = 0x0101010101010101L;
  private static final long LOW = 0x7f * ONES;
  private static final long COMMAS = ',' * ONES;
  private static final long BRACES = '{' * ONES;
  private static final long CASE = 0x20 * ONES; // what '{' and '[' differ in

  /** The counts of a whole text. */
  public static TextCounts of(byte[] json) {
    return of(json, 0, json.length);
  }

  static TextCounts of(byte[] json, int start, int end) {
    long structures = 0;
    long commas = 0;
    int i = start;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      long eight = (long) EIGHT_BYTES.get(json, i);
      structures += zeros((eight | CASE) ^ BRACES);
      commas += zeros(eight ^ COMMAS);
    }
    for (; i < end; i++) {
      structures += json[i] == '{' || json[i] == '[' ? 1 : 0;
      commas += json[i] == ',' ? 1 : 0;
    }
    return new TextCounts(structures, structures + commas + 1);
  }

  /** How many of the eight bytes are zero. */
  private static int zeros(long eight) {
    return Long.bitCount(~(((eight & LOW) + LOW) | eight | LOW));
  }
}
