package dev.sluice.api.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash at the end of names that are made of longer ones. */
public final class ShortHash {
  /** How many characters it has. */
  public static final int LENGTH = 5;

  private ShortHash() {}

  /** The first hexadecimal digits of the SHA-1 of the text in UTF-8. */
  public static String of(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }
}
