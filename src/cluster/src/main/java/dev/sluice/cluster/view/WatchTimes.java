package dev.sluice.cluster.view;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The timeouts and intervals of a view.
 *
 * @param call how long a page of a list may take
 * @param pageSize objects to a page
 * @param watch the minimum duration of one watch request
 * @param silence how long an open watch may be silent before it is closed; an API server sends a
 *     bookmark every minute
 * @param leastWait the wait after a first failure
 * @param mostWait the longest wait
 * @param discovery the interval of looking for kinds that the API server does not serve yet
 * @param resync the interval of comparing the store with the API server
 */
public record WatchTimes(
    Duration call,
    int pageSize,
    Duration watch,
    Duration silence,
    Duration leastWait,
    Duration mostWait,
    Duration discovery,
    Duration resync) {
  private static final Duration RESYNC = Duration.ofMinutes(10);

  /** What suits a cluster. */
  public static final WatchTimes DEFAULT =
      new WatchTimes(
          Duration.ofSeconds(30),
          500,
          Duration.ofMinutes(5),
          Duration.ofSeconds(100),
          Duration.ofMillis(200),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          RESYNC);

  /** What suits a cluster that is being set up: kinds that come are found within a second. */
  public static final WatchTimes EAGER =
      new WatchTimes(
          DEFAULT.call(),
          DEFAULT.pageSize(),
          DEFAULT.watch(),
          DEFAULT.silence(),
          Duration.ofMillis(100),
          Duration.ofSeconds(2),
          Duration.ofSeconds(1),
          RESYNC);

  /** Times with which a resync is as rare as usual. */
  public WatchTimes(
      Duration call,
      int pageSize,
      Duration watch,
      Duration silence,
      Duration leastWait,
      Duration mostWait,
      Duration discovery) {
    this(call, pageSize, watch, silence, leastWait, mostWait, discovery, RESYNC);
  }

  /** The length of one watch: up to twice the least, so that not all end at once. */
  int watchSeconds(RandomGenerator random) {
    int least = Math.toIntExact(watch.toSeconds());
    return random.nextInt(least, 2 * least + 1);
  }
}
