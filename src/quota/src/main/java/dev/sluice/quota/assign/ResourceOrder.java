package dev.sluice.quota.assign;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * The order in which resources are visited: by the unsigned 64-bit FNV-1a hash of their names. The
 * order decides which resource group fails first, and so which reason is reported.
 */
final class ResourceOrder {
  static final Comparator<String> COMPARATOR =
      ((Comparator<String>) (a, b) -> Long.compareUnsigned(hash(a), hash(b)))
          .thenComparing(Comparator.naturalOrder());

  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private ResourceOrder() {}

  private static long hash(String name) {
    long hash = OFFSET;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * PRIME;
    }
    return hash;
  }
}
