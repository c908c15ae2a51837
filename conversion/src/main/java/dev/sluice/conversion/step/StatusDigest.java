package dev.sluice.conversion.step;

import dev.sluice.json.Canonical;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The fingerprint of an object's status: the first 16 hex digits of the SHA-256 of its canonical
 * text.
 */
final class StatusDigest {
  private static final int BYTES = 8;

  private StatusDigest() {}

  /** The fingerprint; of nothing at all if there is no status. */
  static String of(JsonObject root) {
    Json status = root.get("status");
    MessageDigest sha256 = sha256();
    if (status != null) {
      sha256.update(Canonical.bytes(status));
    }
    return HexFormat.of().formatHex(sha256.digest(), 0, BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
