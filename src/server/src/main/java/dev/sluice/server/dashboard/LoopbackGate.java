package dev.sluice.server.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;

/**
 * Decides which requests a server on loopback answers: those that carry its key and name a host of
 * loopback. The host name is checked because a page of another site can make its own name resolve
 * to this machine (DNS rebinding).
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
