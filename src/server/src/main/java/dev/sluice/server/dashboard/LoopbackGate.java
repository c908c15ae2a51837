package dev.sluice.server.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;

/**
 * Who may ask a server on loopback: whoever has its key, under a name of loopback. The name matters
 * because a page of another site can let its own name lead to this machine.
 *
 * @param key what has to be sent
 */
record LoopbackGate(String key) {
  /** A header that pages of other origins cannot send without being allowed to. */
  static final String KEY_HEADER = "X-Sluice-Key";

  private static final Set<String> NAMES = Set.of("127.0.0.1", "localhost", "::1", "[::1]");

  /** Whether that host, without a port, is this machine. */
  static boolean isLoopback(String host) {
    return NAMES.contains(host.toLowerCase(Locale.ROOT));
  }

  /** Whether the key is the right one. */
  boolean opensFor(String given) {
    return areEqual(key, given);
  }

  /** Whether they are equal, in a time that tells nothing about where they differ. */
  static boolean areEqual(String expected, String given) {
    return MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
  }
}
