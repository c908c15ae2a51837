package dev.sluice.server.reply;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes of texts and bytes. */
public final class Sha256 {
  private Sha256() {}

  /** The hash of that text as 64 hexadecimal digits. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(digest().digest(text.getBytes(UTF_8)));
  }

  /** A digest of nothing yet, for one thread. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
