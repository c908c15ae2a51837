package dev.sluice.api.meta;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Messages for people, which have a longest length wherever they are stored. */
public final class Messages {
  /** The longest message of a condition that Kubernetes accepts, in bytes. */
  private static final int OF_A_CONDITION = 32 * 1024;

  private static final String CUT = " ...";

  private Messages() {}

  /** The message of a condition; what is beyond its longest length is cut. */
  public static String cut(String message) {
    return cut(message, OF_A_CONDITION);
  }

  /**
   * A message; where it is too long it ends with three dots, and not within a character.
   *
   * @param longest how long it may be, in bytes of UTF-8
   */
  public static String cut(String message, int longest) {
    if (message.length() <= longest / 3) { // no character is longer
      return message;
    }
    byte[] bytes = message.getBytes(UTF_8);
    if (bytes.length <= longest) {
      return message;
    }
    int end = longest - CUT.length();
    while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(bytes, 0, end, UTF_8) + CUT;
  }
}
