package dev.sluice.certs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Writes the values of ASN.1 that certificates and keys are made of, in their one distinguished
 * encoding (ITU-T X.690), and takes a constructed value apart. Each method returns tag, length, and
 * content. What is issued is read back by the JDK, so a wrong encoding is found where it is made.
 */
final class Der {
  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int SEQUENCE = 0x30;
  static final byte[] NULL = {0x05, 0};

  private static final int BOOLEAN = 0x01;
  private static final int OBJECT_IDENTIFIER = 0x06;
  private static final int UTF8_STRING = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SET = 0x31;
  private static final int CONTEXT = 0x80;
  private static final int CONSTRUCTED = 0x20;

  /** The first year that the short form of time, with two digits for the year, cannot say. */
  private static final int GENERALIZED_FROM = 2050;

  private static final DateTimeFormatter LONG_TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'", Locale.ROOT);
  private static final DateTimeFormatter SHORT_TIME =
      DateTimeFormatter.ofPattern("uuMMddHHmmss'Z'", Locale.ROOT);

  private static final int LONG_LENGTH = 0x80;
  private static final int MOST_LENGTH_BYTES = 3;

  /**
   * A value.
   *
   * @param encoded tag, length, and content
   */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  record Value(int tag, byte[] content, byte[] encoded) {}

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return value(SEQUENCE, joined(parts));
  }

  /** A set of one, so that there is no order to keep. */
  static byte[] setOf(byte[] only) {
    return value(SET, only);
  }

  static byte[] integer(BigInteger number) {
    return value(INTEGER, number.toByteArray());
  }

  static byte[] integer(int number) {
    return integer(BigInteger.valueOf(number));
  }

  static byte[] yes() {
    return value(BOOLEAN, new byte[] {(byte) 0xff});
  }

  static byte[] octets(byte[] content) {
    return value(OCTET_STRING, content);
  }

  /**
   * A string of bits.
   *
   * @param unused how many bits of the last byte do not count, 0 to 7
   */
  static byte[] bits(int unused, byte[] content) {
    return value(BIT_STRING, joined(new byte[] {(byte) unused}, content));
  }

  static byte[] utf8(String text) {
    return value(UTF8_STRING, text.getBytes(UTF_8));
  }

  /** An object identifier, such as {@code 2.5.4.3}. */
  static byte[] id(String dotted) {
    int[] arcs = Arrays.stream(dotted.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    writeArc(content, 40 * arcs[0] + arcs[1]);
    for (int i = 2; i < arcs.length; i++) {
      writeArc(content, arcs[i]);
    }
    return value(OBJECT_IDENTIFIER, content.toByteArray());
  }

  private static void writeArc(ByteArrayOutputStream content, int arc) {
    for (int shift = 28; shift > 0; shift -= 7) {
      if (arc >> shift != 0) {
        content.write(0x80 | ((arc >> shift) & 0x7f));
      }
    }
    content.write(arc & 0x7f);
  }

  /** A time in the form that certificates need for its year, to the second. */
  static byte[] time(Instant time) {
    ZonedDateTime utc = time.atZone(ZoneOffset.UTC);
    return utc.getYear() < GENERALIZED_FROM
        ? value(UTC_TIME, SHORT_TIME.format(utc).getBytes(US_ASCII))
        : value(GENERALIZED_TIME, LONG_TIME.format(utc).getBytes(US_ASCII));
  }

  /** A whole value under a number (EXPLICIT). */
  static byte[] explicit(int number, byte[] value) {
    return value(CONTEXT | CONSTRUCTED | number, value);
  }

  /** The content of a primitive value under a number in place of its tag (IMPLICIT). */
  static byte[] implicit(int number, byte[] content) {
    return value(CONTEXT | number, content);
  }

  /** Whether this is the tag of {@link #explicit} with that number. */
  static boolean isExplicit(int number, Value value) {
    return value.tag() == (CONTEXT | CONSTRUCTED | number);
  }

  private static byte[] value(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 5);
    out.write(tag);
    if (content.length < LONG_LENGTH) {
      out.write(content.length);
    } else {
      byte[] length = BigInteger.valueOf(content.length).toByteArray();
      int from = length[0] == 0 ? 1 : 0; // the sign
      out.write(LONG_LENGTH | (length.length - from));
      out.write(length, from, length.length - from);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /**
   * The parts of a sequence.
   *
   * @throws IllegalArgumentException unless these bytes are one sequence, whole and nothing else
   */
  static List<Value> parts(byte[] sequence) {
    List<Value> values = values(sequence);
    if (values.size() != 1 || values.getFirst().tag() != SEQUENCE) {
      throw new IllegalArgumentException("not a sequence");
    }
    return values(values.getFirst().content());
  }

  /**
   * The values that stand in these bytes, one after the other.
   *
   * @throws IllegalArgumentException if they do not end with the end of a value
   */
  static List<Value> values(byte[] bytes) {
    List<Value> values = new ArrayList<>();
    int at = 0;
    while (at < bytes.length) {
      int start = at;
      int tag = at(bytes, at++);
      int length = at(bytes, at++);
      if (length >= LONG_LENGTH) {
        int count = length - LONG_LENGTH;
        if (count == 0 || count > MOST_LENGTH_BYTES) {
          throw new IllegalArgumentException("a length of " + count + " bytes");
        }
        length = 0;
        for (int i = 0; i < count; i++) {
          length = (length << 8) | at(bytes, at++);
        }
      }
      if (length > bytes.length - at) {
        throw cutOff();
      }
      values.add(
          new Value(
              tag,
              Arrays.copyOfRange(bytes, at, at + length),
              Arrays.copyOfRange(bytes, start, at + length)));
      at += length;
    }
    return values;
  }

  private static int at(byte[] bytes, int index) {
    if (index >= bytes.length) {
      throw cutOff();
    }
    return bytes[index] & 0xff;
  }

  private static IllegalArgumentException cutOff() {
    return new IllegalArgumentException("a value is cut off");
  }
}
