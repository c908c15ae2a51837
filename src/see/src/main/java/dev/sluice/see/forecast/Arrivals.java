package dev.sluice.see.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.Amount;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.PodShape;
import dev.sluice.see.history.Shapes;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Subject;
import dev.sluice.see.history.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The Workloads that came in the last day, from the lines of a history. What will come is drawn
 * from those of the day before at the same hour; where the history is shorter, from all of it.
 * Thread-safe; keeps the last {@value #MOST}.
 */
public final class Arrivals {
  private static final Duration DAY = Duration.ofDays(1);

  /** Less than that says nothing about what comes. */
  private static final Duration LEAST = Duration.ofMinutes(10);

  private static final int MOST = 50_000;

  private final Deque<Seen> seen = new ArrayDeque<>();
  private @Nullable Instant since;

  private record Seen(Instant at, Subject subject) {}

  /** Takes note of a line; only those of new Workloads count. */
  public synchronized void add(HistoryLine line) {
    since = since == null || line.at().isBefore(since) ? line.at() : since;
    if (line instanceof Transition transition && transition.step() == Step.QUEUED) {
      seen.addLast(new Seen(transition.at(), transition.subject()));
      Instant oldest = transition.at().minus(DAY.plus(DAY));
      while (seen.size() > MOST || seen.getFirst().at().isBefore(oldest)) {
        seen.removeFirst();
      }
    }
  }

  /** Possible arrivals between now and the end. Each {@link Drawn#begin} draws others. */
  synchronized Drawn until(Instant now, Instant end, int most) {
    List<Seen> all = new ArrayList<>();
    Instant begin = since;
    Duration known = begin == null ? Duration.ZERO : Duration.between(begin, now);
    if (known.compareTo(LEAST) < 0) {
      return new Drawn(List.of());
    }
    Duration period = known.compareTo(DAY) < 0 ? known : DAY;
    List<Seen> last =
        seen.stream()
            .filter(it -> it.at().isAfter(now.minus(period)) && !it.at().isAfter(now))
            .sorted(Comparator.comparing(Seen::at))
            .toList();
    for (int round = 1; !last.isEmpty(); round++) {
      for (Seen one : last) {
        Instant at = one.at().plus(period.multipliedBy(round));
        if (!at.isBefore(end) || all.size() >= most) {
          return new Drawn(all);
        }
        all.add(new Seen(at, one.subject()));
      }
    }
    return new Drawn(all);
  }

  /** One that comes. */
  record Arrival(Instant at, Workload workload, Subject subject) {}

  /** What may come, in the order of time. For one thread. */
  static final class Drawn {
    private final List<Seen> all;
    private final Map<String, Optional<Workload>> patterns = new HashMap<>();

    private Drawn(List<Seen> all) {
      this.all = all;
    }

    /** Begins to draw: each of them comes not at all, once or several times, once on average. */
    Drawing begin(RandomGenerator random) {
      return new Drawing(this, random);
    }

    private Optional<Workload> pattern(Subject subject) {
      return patterns.computeIfAbsent(
          "%s/%s %d %s"
              .formatted(
                  subject.workload().namespace(),
                  subject.localQueue(),
                  subject.priority(),
                  subject.shape()),
          _ -> workload(subject));
    }
  }

  /** What comes in one play, in the order of time. */
  static final class Drawing {
    private final Drawn drawn;
    private final RandomGenerator random;
    private int next;
    private int left;
    private int number;

    private Drawing(Drawn drawn, RandomGenerator random) {
      this.drawn = drawn;
      this.random = random;
      this.left = drawn.all.isEmpty() ? 0 : poisson(random);
      skip();
    }

    private void skip() {
      while (left == 0 && ++next < drawn.all.size()) {
        left = poisson(random);
      }
    }

    /** When the next one comes; null for no more. */
    @Nullable Instant at() {
      return next < drawn.all.size() && left > 0 ? drawn.all.get(next).at() : null;
    }

    /** Takes the next one; empty where it cannot be made again from what is known of it. */
    Optional<Arrival> take() {
      Seen one = drawn.all.get(next);
      String name = "arrival-" + number++;
      left--;
      skip();
      return drawn
          .pattern(one.subject())
          .map(
              it ->
                  new Arrival(
                      one.at(),
                      it.with(
                          it.metadata().toBuilder()
                              .name(name)
                              .uid(name)
                              .creationTimestamp(one.at())
                              .build()),
                      one.subject()));
    }
  }

  private static int poisson(RandomGenerator random) {
    int count = 0;
    for (double product = random.nextDouble();
        product > 1 / Math.E;
        product *= random.nextDouble()) {
      count++;
    }
    return count;
  }

  private static Optional<Workload> workload(Subject subject) {
    List<PodShape> shapes = Shapes.parse(subject.shape());
    if (shapes.isEmpty() || subject.localQueue().isEmpty()) {
      return Optional.empty();
    }
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.putObject("metadata")
        .put("name", "arrival")
        .put("namespace", subject.workload().namespace());
    ObjectNode spec = tree.putObject("spec");
    spec.put("queueName", subject.localQueue())
        .put("priority", Math.clamp(subject.priority(), Integer.MIN_VALUE, Integer.MAX_VALUE));
    ArrayNode podSets = spec.putArray("podSets");
    for (PodShape shape : shapes) {
      podSet(shape, podSets.addObject().put("name", "p" + (podSets.size() - 1)));
    }
    try {
      return Optional.of(HubObjects.read(Workload.class, (JsonNode) tree));
    } catch (MalformedObjectException e) {
      return Optional.empty();
    }
  }

  private static void podSet(PodShape shape, ObjectNode podSet) {
    ObjectNode requests =
        podSet
            .put("count", shape.count())
            .putObject("template")
            .putObject("spec")
            .putArray("containers")
            .addObject()
            .put("name", "c")
            .putObject("resources")
            .putObject("requests");
    shape
        .requests()
        .forEach(
            (resource, amount) ->
                requests.put(resource, Amount.toQuantity(resource, amount).toString()));
    switch (shape.topology()) {
      case "required", "preferred" ->
          podSet.putObject("topologyRequest").put(shape.topology(), shape.level());
      case "unconstrained" -> podSet.putObject("topologyRequest").put("unconstrained", true);
      default -> {}
    }
  }
}
