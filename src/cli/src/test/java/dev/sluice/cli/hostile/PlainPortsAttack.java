package dev.sluice.cli.hostile;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/**
 * Aims at the ports of health and metrics: requests that are half sent and never end, many scrapes
 * at a time, paths that begin like one that is served.
 */
final class PlainPortsAttack implements Attack {
  private static final int HALF_SENT = 250;
  private static final int SCRAPERS = 24;
  private static final int PATIENCE_MILLIS = 15_000;

  /** Within this time a server should have given up on half a request. */
  private static final Duration GIVEN_UP = Knobs.read().bound(Duration.ofSeconds(40));

  private static final Map<String, Integer> PATHS =
      Map.of(
          "/healthz", 200,
          "/healthzx", 404,
          "/healthz/x", 404,
          "/metricsx", 404,
          "/metrics/../healthz", 404,
          "/readyz/", 404,
          "/", 404,
          "/debug", 404);

  @Override
  public String name() {
    return "plain-ports";
  }

  @Override
  public String run(Target target, Breaches breaches) throws Exception {
    List<Line> halfSent = new ArrayList<>();
    LongAdder scrapes = new LongAdder();
    long begun = System.nanoTime();
    try {
      checkPaths(target, breaches);
      Attackers.run(
          SCRAPERS,
          attacker -> {
            if (attacker == 0) {
              halfSend(target, halfSent);
            }
            scrape(target, attacker, scrapes, breaches);
          });
      int stillOpen = stillOpen(halfSent, begun + GIVEN_UP.toNanos());
      if (stillOpen > 0) {
        breaches.add(
            "%d of %d half-sent requests are still open after %s"
                .formatted(stillOpen, halfSent.size(), GIVEN_UP));
      }
    } finally {
      for (Line line : halfSent) {
        line.close();
      }
    }
    return scrapes.sum() + " scrapes beside " + halfSent.size() + " half-sent requests";
  }

  private static void halfSend(Target target, List<Line> halfSent) {
    for (int i = 0; i < HALF_SENT * target.plain().size(); i++) {
      open(target, i, halfSent);
    }
  }

  private static void open(Target target, int number, List<Line> halfSent) {
    int port = target.plain().get(number % target.plain().size());
    try {
      halfSent.add(
          Line.plain(Target.address(number), port)
              .write("GET /metrics HTTP/1.1\r\nhost: a\r\nx: "));
    } catch (IOException _) {
      // at its bound a server refuses
    }
  }

  private static void checkPaths(Target target, Breaches breaches) {
    for (int port : target.plain()) {
      PATHS.forEach(
          (path, expected) -> {
            int status = Line.get(Target.address(0), port, path, PATIENCE_MILLIS);
            if (status != expected) {
              breaches.add(
                  "port %d, %s: status %d (expected: %d)".formatted(port, path, status, expected));
            }
          });
    }
  }

  private static void scrape(Target target, int attacker, LongAdder scrapes, Breaches breaches) {
    RandomGenerator random = target.random("plain-ports", attacker);
    while (target.goesOn()) {
      int port = Review.pick(random, target.plain());
      int status = Line.get(Target.address(attacker), port, "/metrics", PATIENCE_MILLIS);
      scrapes.increment();
      if (status >= 500 && status != 503) {
        breaches.add("port %d, /metrics: status %d".formatted(port, status));
      }
    }
  }

  private static int stillOpen(List<Line> lines, long until) {
    List<Line> open = new ArrayList<>(lines);
    do {
      open.removeIf(line -> line.isClosedWithin(1));
    } while (!open.isEmpty() && System.nanoTime() - until < 0);
    return open.size();
  }
}
