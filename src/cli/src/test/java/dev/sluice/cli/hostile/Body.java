package dev.sluice.cli.hostile;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * One generated body.
 *
 * @param generator the name of what drew it
 * @param number which it is: seed, name and number give the same body again
 * @param path where it is sent
 * @param bytes never modified
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Body(String generator, long number, String path, byte[] bytes) {

  /** What draws the body of that number, and all of it. */
  static RandomGenerator random(long seed, String generator, long number) {
    long mixed = seed * 31 + generator.hashCode();
    return new SplittableRandom(mixed * 0x9E3779B97F4A7C15L + number);
  }

  @Override
  public String toString() {
    return "%s %d, %d bytes to %s".formatted(generator, number, bytes.length, path);
  }
}
