package dev.sluice.server.reply;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * ETags of what a document says, without the time of which it tells. An answer of a newer state
 * that says the same has the same tag, so a client that polls while other objects change gets 304.
 * All replicas give the same document the same tag.
 */
public final class ContentTag {
  /** Enough that no two documents have one tag, and few enough for an answer of 300 bytes. */
  private static final int BYTES = 24;

  private ContentTag() {}

  /** The tag of that JSON. */
  public static String of(byte[] json) {
    MessageDigest digest = Sha256.digest();
    digest.update(json);
    return quoted(digest);
  }

  /**
   * The tag of that JSON.
   *
   * @param asOf the time that its member {@code asOf} has
   */
  public static String of(byte[] json, Instant asOf) {
    // no text of the document has this: quotes of a text are escaped
    byte[] stamp = ("\"asOf\":\"" + asOf + "\"").getBytes(UTF_8);
    int last = json.length - stamp.length;
    int at = 0;
    while (at <= last && !Arrays.equals(json, at, at + stamp.length, stamp, 0, stamp.length)) {
      at++;
    }
    if (at > last) {
      return of(json);
    }
    MessageDigest digest = Sha256.digest();
    digest.update(json, 0, at);
    digest.update(json, at + stamp.length, last - at);
    return quoted(digest);
  }

  private static String quoted(MessageDigest digest) {
    byte[] hash = Arrays.copyOf(digest.digest(), BYTES);
    return "\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "\"";
  }
}
