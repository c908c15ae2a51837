package dev.sluice.bench;

import static java.util.stream.Collectors.joining;

import dev.sluice.bench.load.Protocol;
import dev.sluice.bench.load.Window;
import dev.sluice.bench.objects.ObjectMaker;
import java.util.List;
import java.util.Locale;

/**
 * What to measure.
 *
 * @param makers make the objects
 * @param sizes objects in each request
 * @param inFlight requests at one time
 * @param rate requests of one object a second; 0 for no such cell
 * @param window how long each cell takes
 * @param protocol how the client talks
 * @param seed of the objects
 * @param sluiceJvm further options for the JVM of Sluice
 */
record Plan(
    List<ObjectMaker> makers,
    List<Integer> sizes,
    List<Integer> inFlight,
    int rate,
    Window window,
    Protocol protocol,
    long seed,
    List<String> sluiceJvm) {
  private static final int MOST_OBJECTS = 10_000;
  private static final int MOST_IN_FLIGHT = 1_000;

  Plan {
    makers = List.copyOf(makers);
    sizes = List.copyOf(sizes);
    inFlight = List.copyOf(inFlight);
    sluiceJvm = List.copyOf(sluiceJvm);
    requireWithin(sizes, MOST_OBJECTS, "sizes");
    requireWithin(inFlight, MOST_IN_FLIGHT, "in-flight");
    if (rate < 0 || rate > 100_000) {
      throw new IllegalArgumentException("rate: " + rate + " (expected: 0 to 100000)");
    }
  }

  private static void requireWithin(List<Integer> numbers, int most, String name) {
    if (numbers.stream().anyMatch(number -> number < 1 || number > most)) {
      throw new IllegalArgumentException(
          "%s: %s (expected: each 1 to %d)".formatted(name, numbers, most));
    }
  }

  String describeObjects() {
    return makers.stream()
            .map(maker -> "%s of %s".formatted(maker.kind(), maker.versions()))
            .collect(joining(", "))
            .toLowerCase(Locale.ROOT)
        + " to v1beta2, a kind and version a request, in turn";
  }
}
