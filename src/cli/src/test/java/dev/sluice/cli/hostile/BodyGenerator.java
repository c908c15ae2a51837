package dev.sluice.cli.hostile;

import java.util.random.RandomGenerator;

/** Draws bodies that aim at one weakness. Safe for many threads. */
interface BodyGenerator {
  /** The name by which it is asked for. */
  String name();

  /**
   * A review for one of the paths that are served.
   *
   * @param random all choices come from it
   * @param number which body it is; some are larger every so often
   * @param most about how many bytes it may have
   */
  Review draw(RandomGenerator random, long number, int most);

  /** The body with that number. */
  default Body body(long seed, long number, int most) {
    Review review = draw(Body.random(seed, name(), number), number, most);
    return new Body(name(), number, review.path(), review.bytes());
  }
}
