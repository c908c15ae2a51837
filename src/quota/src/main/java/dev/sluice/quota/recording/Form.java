package dev.sluice.quota.recording;

import org.jspecify.annotations.Nullable;

/** How values of one type are written. What equals the value before it costs one byte. */
abstract class Form {
  private static final int ABSENT = 0;
  private static final int SAME = 1;
  private static final int GIVEN = 2;

  /**
   * Writes a value.
   *
   * @param base the value that was at the same place before, or null
   */
  abstract void write(ByteWriter out, Object value, @Nullable Object base);

  /** Reads what was written beside that base. */
  abstract Object read(ByteReader in, @Nullable Object base);

  /** Adds all that a reader has to agree on, each type once. */
  abstract void describe(StringBuilder text);

  final void writeSlot(ByteWriter out, @Nullable Object value, @Nullable Object base) {
    if (value == null) {
      out.octet(ABSENT);
    } else if (value.equals(base)) {
      out.octet(SAME);
    } else {
      out.octet(GIVEN);
      write(out, value, base);
    }
  }

  final @Nullable Object readSlot(ByteReader in, @Nullable Object base) {
    return switch (in.octet()) {
      case ABSENT -> null;
      case SAME -> known(base);
      case GIVEN -> read(in, base);
      default -> throw new MalformedRecordingException("a value has no form");
    };
  }

  final Object readPresent(ByteReader in, @Nullable Object base) {
    Object value = readSlot(in, base);
    if (value == null) {
      throw new MalformedRecordingException("a value is missing");
    }
    return value;
  }

  private static Object known(@Nullable Object base) {
    if (base == null) {
      throw new MalformedRecordingException("a value refers to one that is not known");
    }
    return base;
  }
}
