package dev.sluice.cluster.access;

import java.math.BigInteger;
import java.net.InetAddress;

/** Blocks of addresses as NO_PROXY names them, such as 10.0.0.0/8. */
final class AddressBlock {
  private AddressBlock() {}

  /** Whether a host is an address of the block; false where either is no address. */
  static boolean contains(String block, String host) {
    int slash = block.indexOf('/');
    try {
      byte[] first = InetAddress.ofLiteral(block.substring(0, slash)).getAddress();
      byte[] address = InetAddress.ofLiteral(host.replaceAll("^\\[|]$", "")).getAddress();
      int bits = Integer.parseInt(block.substring(slash + 1));
      int free = first.length * 8 - bits;
      return first.length == address.length
          && bits >= 0
          && free >= 0
          && new BigInteger(1, first)
              .shiftRight(free)
              .equals(new BigInteger(1, address).shiftRight(free));
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
