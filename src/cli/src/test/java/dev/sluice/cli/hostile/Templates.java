package dev.sluice.cli.hostile;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Objects of each kind that are drawn once and edited often. Every so many inputs there are new
 * ones. Which one an input gets follows from the seed of the run, the number of the input and what
 * is drawn for it. For many threads.
 */
final class Templates {
  private static final int OF_A_KIND = 32;
  private static final long INPUTS = 100_000;
  private static final long SEED = Knobs.read().seed();

  private final Map<Long, Map<String, Template>> drawn = new ConcurrentHashMap<>();

  /**
   * One of the templates of a kind.
   *
   * @param kind how the kind is called here
   * @param draw what draws the text of an object of the kind
   */
  Template pick(
      RandomGenerator random, long number, String kind, Function<RandomGenerator, byte[]> draw) {
    long time = number / INPUTS;
    Map<String, Template> now = drawn.get(time);
    if (now == null) {
      drawn.keySet().removeIf(it -> it < time - 1);
      now = drawn.computeIfAbsent(time, _ -> new ConcurrentHashMap<>());
    }
    int which = random.nextInt(OF_A_KIND);
    return now.computeIfAbsent(
        kind + which, name -> Template.of(draw.apply(Body.random(SEED, name, time))));
  }
}
