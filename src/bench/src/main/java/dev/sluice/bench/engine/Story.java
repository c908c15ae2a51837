package dev.sluice.bench.engine;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.Target;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A cluster played from the first arrival to the last end, in simulated time: workloads run for
 * their time and end, and whoever has to give way does so at once and is queued again. Between two
 * events the engine has all the time it wants; what is measured is how much that is, and how long
 * the story is in its own time.
 */
public final class Story {
  private static final Instant START = BusyQueues.START;
  private static final int NOMINAL = 20;

  /**
   * Workloads of one size.
   *
   * @param count in each queue
   * @param every the time between two arrivals
   */
  public record Kind(
      String name, int count, int cpu, Duration runs, int priority, Duration every) {}

  /**
   * What is played.
   *
   * @param queues of each cohort
   */
  public record Plot(String name, int cohorts, int queues, List<Kind> kinds) {
    /** The smaller one of the shapes that the field compares with. */
    public static final Plot BASELINE =
        new Plot(
            "baseline",
            5,
            6,
            List.of(
                new Kind("small", 350, 1, Duration.ofMillis(200), 50, Duration.ofMillis(100)),
                new Kind("medium", 100, 5, Duration.ofMillis(500), 100, Duration.ofMillis(500)),
                new Kind("large", 50, 20, Duration.ofMillis(1000), 200, Duration.ofMillis(1200))));

    /** The larger one. */
    public static final Plot LARGE_SCALE =
        new Plot(
            "large-scale",
            10,
            100,
            List.of(
                new Kind("small", 35, 1, Duration.ofMillis(150), 50, Duration.ofMillis(60)),
                new Kind("medium", 11, 5, Duration.ofMillis(350), 100, Duration.ofMillis(300)),
                new Kind("large", 4, 20, Duration.ofMillis(700), 200, Duration.ofMillis(700))));

    /** How many workloads there are in all. */
    public int workloads() {
      return cohorts * queues * kinds.stream().mapToInt(Kind::count).sum();
    }

    /** The time that all of it takes at least, with no quota idle and nothing done twice. */
    public Duration quotaBound() {
      double seconds = 0;
      for (Kind kind : kinds) {
        seconds += kind.count() * kind.cpu() * (kind.runs().toNanos() / 1e9) / NOMINAL;
      }
      return Duration.ofMillis(Math.round(seconds * 1000));
    }
  }

  /**
   * How it went.
   *
   * @param simulated from the start to the last end
   * @param computing processor time of the thread that plays
   * @param preempted how often somebody gave way
   * @param lost cpu seconds of workloads that were evicted before their end
   * @param untilAdmission per kind, in simulated time, on average
   */
  public record Ending(
      Plot plot,
      Duration simulated,
      boolean keepsProgress,
      Duration computing,
      int cycles,
      int admissions,
      int preempted,
      double lost,
      Map<String, Duration> untilAdmission) {}

  private record Event(Instant time, int order, ObjectKey workload, boolean arrival) {}

  private static final class Part {
    private final Kind kind;
    private final Workload workload;
    private Instant admitted = Instant.MAX;
    private Duration left;
    private int run;

    private Part(Kind kind, Workload workload) {
      this.kind = kind;
      this.workload = workload;
      this.left = kind.runs();
    }
  }

  private final Plot plot;
  private final boolean keepsProgress;
  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final Map<ObjectKey, Part> parts = new HashMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::time).thenComparingInt(Event::order));
  private final Map<String, Duration> waited = new HashMap<>();
  private final @Nullable List<Call> calls;
  private Instant now = START;
  private int cycles;
  private int admissions;
  private int preempted;
  private double lost;

  private Story(Plot plot, boolean keepsProgress, @Nullable List<Call> calls) {
    this.plot = plot;
    this.keepsProgress = keepsProgress;
    this.calls = calls;
    tell(EngineObjects.namespace());
    tell(EngineObjects.flavor("default"));
    for (int cohort = 0; cohort < plot.cohorts(); cohort++) {
      for (int queue = 0; queue < plot.queues(); queue++) {
        prepare("cohort-" + cohort, "queue-" + cohort + "-" + queue);
      }
    }
  }

  private void prepare(String cohort, String queue) {
    tell(EngineObjects.clusterQueue(queue, cohort, List.of("default"), NOMINAL, 100, true));
    tell(EngineObjects.localQueue(queue));
    for (Kind kind : plot.kinds()) {
      Workload template = EngineObjects.template(kind.cpu(), kind.priority());
      for (int i = 0; i < kind.count(); i++) {
        Instant arrival = START.plus(kind.every().multipliedBy(i));
        Workload workload =
            EngineObjects.workload(template, queue + "-" + kind.name() + "-" + i, queue, arrival);
        ObjectKey key = ObjectKey.of(workload.metadata());
        parts.put(key, new Part(kind, workload));
        events.add(new Event(arrival, 0, key, true));
      }
    }
  }

  /**
   * Plays it to the end.
   *
   * @param keepsProgress whether a workload that gave way goes on later where it was, instead of
   *     starting over
   */
  static Ending play(Plot plot, boolean keepsProgress) {
    return new Story(plot, keepsProgress, null).play();
  }

  /** The same, and adds every call of the engine to the list. */
  static Ending play(Plot plot, List<Call> calls) {
    return new Story(plot, false, calls).play();
  }

  /** A call of the engine. */
  sealed interface Call {
    /** The time that the engine was given. */
    Instant at();

    /** It was told a change. */
    record Applied(Instant at, Change change) implements Call {}

    /** Its snapshot was taken. */
    record Looked(Instant at) implements Call {}

    /** It ran a cycle. */
    record Cycled(Instant at, CycleResult result) implements Call {}
  }

  private void tell(Change change) {
    record(new Call.Applied(now, change));
    engine.apply(change, now);
  }

  private void record(Call call) {
    if (calls != null) {
      calls.add(call);
    }
  }

  private Ending play() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    while (!events.isEmpty()) {
      now = events.element().time();
      while (!events.isEmpty() && events.element().time().equals(now)) {
        happen(events.remove());
      }
      settle();
    }
    Duration computing = Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
    if (!parts.isEmpty()) {
      throw new IllegalStateException(parts.size() + " workloads never ran to their end");
    }
    return new Ending(
        plot,
        Duration.between(START, now),
        keepsProgress,
        computing,
        cycles,
        admissions,
        preempted,
        lost,
        averages());
  }

  private Map<String, Duration> averages() {
    Map<String, Duration> averages = new HashMap<>();
    for (Kind kind : plot.kinds()) {
      long all = (long) kind.count() * plot.cohorts() * plot.queues();
      averages.put(kind.name(), waited.getOrDefault(kind.name(), Duration.ZERO).dividedBy(all));
    }
    return averages;
  }

  private void happen(Event event) {
    Part part = parts.get(event.workload());
    if (event.arrival() && part != null) {
      tell(Change.upserted(ObjectKind.WORKLOAD, part.workload));
    } else if (part != null && part.run == event.order()) {
      parts.remove(event.workload());
      tell(new Change.Deleted(ObjectKind.WORKLOAD, event.workload()));
    } // otherwise it gave way in the meantime
  }

  private void settle() {
    CycleResult result;
    do {
      result = engine.cycle(now);
      record(new Call.Cycled(now, result));
      cycles++;
      for (Outcome outcome : result.outcomes()) {
        carryOut(outcome);
      }
    } while (result.changed());
  }

  private void carryOut(Outcome outcome) {
    switch (outcome.decision()) {
      case Decision.Reserved _ -> admitted(outcome.workload());
      case Decision.Preempting(_, var targets) -> targets.forEach(this::gaveWay);
      default -> {}
    }
  }

  private void admitted(ObjectKey key) {
    Part part = Objects.requireNonNull(parts.get(key));
    tell(new Change.StatusStored(key));
    admissions++;
    if (part.run == 0) {
      waited.merge(part.kind.name(), Duration.between(created(part), now), Duration::plus);
    }
    part.run++;
    part.admitted = now;
    events.add(new Event(now.plus(part.left), part.run, key, false));
  }

  private static Instant created(Part part) {
    return Objects.requireNonNull(part.workload.metadata().creationTimestamp());
  }

  private void gaveWay(Target target) {
    Part part = Objects.requireNonNull(parts.get(target.workload()));
    if (target.alreadyEvicted()) {
      return;
    }
    part.run++; // the end that was planned is none any more
    preempted++;
    Duration done = Duration.between(part.admitted, now);
    if (keepsProgress) {
      part.left = part.left.minus(done);
    } else {
      lost += part.kind.cpu() * (done.toNanos() / 1e9);
    }
    Workload evicted = Objects.requireNonNull(engine.snapshot(now).workload(target.workload()));
    record(new Call.Looked(now));
    tell(new Change.StatusStored(target.workload()));
    tell(Change.upserted(ObjectKind.WORKLOAD, EngineObjects.gaveWay(evicted, now)));
  }
}
