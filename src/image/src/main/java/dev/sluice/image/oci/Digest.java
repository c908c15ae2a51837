package dev.sluice.image.oci;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 digest.
 *
 * @param hex its hexadecimal digits
 */
public record Digest(String hex) {
  private static final String ALGORITHM = "SHA-256";

  /** The digest of these bytes. */
  public static Digest of(byte[] bytes) {
    return new Digest(HexFormat.of().formatHex(function().digest(bytes)));
  }

  /** The digest of a file. */
  public static Digest of(Path file) throws IOException {
    MessageDigest function = function();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), function)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return finish(function);
  }

  /** The digest of all that this function was given. */
  static Digest finish(MessageDigest function) {
    return new Digest(HexFormat.of().formatHex(function.digest()));
  }

  /** A new hash function. */
  static MessageDigest function() {
    try {
      return MessageDigest.getInstance(ALGORITHM);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has " + ALGORITHM, e);
    }
  }

  /** As an image names it: {@code sha256:} and the digits. */
  @Override
  public String toString() {
    return "sha256:" + hex;
  }
}
