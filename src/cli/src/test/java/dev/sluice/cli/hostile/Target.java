package dev.sluice.cli.hostile;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;

/**
 * What is attacked.
 *
 * @param trust the authority of the server
 * @param https the port of reviews
 * @param plain the ports of health and metrics: of the server, and of the scheduler
 * @param seed what is drawn follows from it
 * @param end the moment when attackers stop, by {@link System#nanoTime}
 */
record Target(SSLContext trust, int https, List<Integer> plain, long seed, long end) {
  private static final int ADDRESSES = 12;

  boolean goesOn() {
    return System.nanoTime() - end < 0;
  }

  /**
   * An address of loopback that no honest client has; a bound for each address is not in its way.
   */
  static InetAddress address(int number) {
    try {
      return InetAddress.getByAddress(
          new byte[] {127, 0, 1, (byte) (1 + Math.floorMod(number, ADDRESSES))});
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  RandomGenerator random(String attack, int attacker) {
    return Body.random(seed, attack, attacker);
  }
}
