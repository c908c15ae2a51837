package dev.sluice.see.forecast;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.read.HubObjects;
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
import java.util.Deque;
import java.util.List;
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

  /** One that may come. */
  record Arrival(Instant at, Workload workload, Subject subject) {
    private Arrival copy(int number) {
      String name = "arrival-" + number;
      return new Arrival(
          at,
          workload.with(workload.metadata().toBuilder().name(name).uid(name).build()),
          subject);
    }
  }

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

  /** Those that may come between now and then; drawn anew by each call of {@link Drawn#draw}. */
  synchronized Drawn until(Instant now, Instant end, int most) {
    List<Arrival> all = new ArrayList<>();
    Instant begin = since;
    Duration known = begin == null ? Duration.ZERO : Duration.between(begin, now);
    if (known.compareTo(LEAST) < 0) {
      return new Drawn(List.of());
    }
    Duration period = known.compareTo(DAY) < 0 ? known : DAY;
    List<Seen> last =
        seen.stream().filter(it -> it.at().isAfter(now.minus(period)) && !it.at().isAfter(now)).toList();
    for (int round = 1; all.size() < most; round++) {
      int before = all.size();
      boolean isOver = false;
      for (Seen one : last) {
        Instant at = one.at().plus(period.multipliedBy(round));
        isOver |= !at.isBefore(end);
        if (at.isBefore(end) && all.size() < most) {
          Workload workload = workload(one.subject(), all.size(), at);
          if (workload != null) {
            all.add(new Arrival(at, workload, one.subject()));
          }
        }
      }
      if (isOver || all.size() == before) {
        break;
      }
    }
    return new Drawn(all);
  }

  /** What may come. */
  record Drawn(List<Arrival> all) {
    /** Each of them, none, once or several times: one on average. */
    List<Arrival> draw(RandomGenerator random) {
      List<Arrival> drawn = new ArrayList<>();
      for (Arrival arrival : all) {
        for (int i = poisson(random); i > 0; i--) {
          drawn.add(arrival.copy(drawn.size()));
        }
      }
      return drawn;
    }
  }

  private static int poisson(RandomGenerator random) {
    int count = 0;
    for (double product = random.nextDouble(); product > 1 / Math.E; product *= random.nextDouble()) {
      count++;
    }
    return count;
  }

  private static @Nullable Workload workload(Subject subject, int number, Instant at) {
    List<PodShape> shapes = Shapes.parse(subject.shape());
    if (shapes.isEmpty() || subject.localQueue().isEmpty()) {
      return null;
    }
    StringBuilder podSets = new StringBuilder();
    for (int i = 0; i < shapes.size(); i++) {
      podSets.append(i == 0 ? "" : ",").append(podSet(shapes.get(i), i));
    }
    String json =
        """
        {"metadata":{"name":"%s","namespace":"%s","uid":"%s","creationTimestamp":"%s"},
        "spec":{"queueName":"%s","priority":%d,"podSets":[%s]}}\
        """
            .formatted(
                "arrival-" + number,
                subject.workload().namespace(),
                "arrival-" + number,
                at,
                subject.localQueue(),
                (int) Math.clamp(subject.priority(), Integer.MIN_VALUE, Integer.MAX_VALUE),
                podSets);
    return HubObjects.read(Workload.class, json.getBytes(UTF_8));
  }

  private static String podSet(PodShape shape, int number) {
    StringBuilder requests = new StringBuilder();
    shape
        .requests()
        .forEach(
            (resource, amount) ->
                requests
                    .append(requests.isEmpty() ? "" : ",")
                    .append("\"%s\":\"%s\"".formatted(resource, Amount.toQuantity(resource, amount))));
    String topology =
        switch (shape.topology()) {
          case "required", "preferred" ->
              ",\"topologyRequest\":{\"%s\":\"%s\"}".formatted(shape.topology(), shape.level());
          case "unconstrained" -> ",\"topologyRequest\":{\"unconstrained\":true}";
          default -> "";
        };
    return """
        {"name":"p%d","count":%d,"template":{"spec":{"containers":[{"name":"c","resources":\
        {"requests":{%s}}}]}}%s}\
        """
        .formatted(number, shape.count(), requests, topology);
  }
}
