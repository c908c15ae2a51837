package dev.sluice.bench.forecast;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.queue.WaitingLine;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.forecast.Arrivals;
import dev.sluice.see.forecast.Forecast;
import dev.sluice.see.forecast.ForecastBook;
import dev.sluice.see.forecast.Forecaster;
import dev.sluice.see.forecast.VirtualCluster;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Transition;
import dev.sluice.see.history.WorkloadFacts;
import dev.sluice.see.runtimes.RunTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * One load in virtual time: jobs come, run and end by the engine, a history is kept of it as of a
 * real cluster, and every few minutes all that wait are forecast from that history. The first
 * window that is said for a job is compared with its start.
 */
public final class ForecastTrial implements VirtualCluster.Life {
  /** So many jobs end before anything counts. */
  private static final int WARM = 200;

  private static final double LIMIT = 3;
  private static final int INTERVALS = 50;

  /**
   * How much is done.
   *
   * @param jobs that come
   * @param plays of each forecast
   * @param between two forecasts
   */
  public record Size(int jobs, int plays, Duration between) {
    /**
     * As the table is made. Jobs that wait at the same time start early or late together, so some
     * hundred starts say little: with 600 jobs, the part within the bands had a spread of 4 % over
     * the seeds, with 3,000 one of 2 %.
     */
    public static final Size FULL = new Size(3_000, 16, Duration.ofMinutes(8));

    /** For a quick look. */
    public static final Size SHORT = new Size(350, 8, Duration.ofMinutes(12));
  }

  /** What was said about a start. */
  private record Said(Forecast forecast, double byPosition, double byLimits) {}

  /** What was said, and when it started after that. */
  private record Compared(Said said, double seconds) {}

  private final LoadFamily family;
  private final long seed;
  private final Size size;
  private final VirtualCluster cluster;
  private final Map<ObjectKey, Double> seconds = new HashMap<>();
  private final HistoryTracker tracker = new HistoryTracker();
  private final RunTimes runTimes = new RunTimes();
  private final Arrivals arrivals = new Arrivals();
  private final ForecastBook book = new ForecastBook();
  private final Map<String, Said> open = new HashMap<>();
  private final List<Compared> compared = new ArrayList<>();
  private final Map<String, Deque<Instant>> lastStarts = new HashMap<>();
  private int ends;
  private final Set<String> withheld = new HashSet<>();

  private ForecastTrial(LoadFamily family, long seed, Size size) {
    this.family = family;
    this.seed = seed;
    this.size = size;
    LoadWorld world = new LoadWorld(family);
    this.cluster = new VirtualCluster(world.engine(), LoadWorld.START, this);
    for (Job job : family.jobs(world, new SplittableRandom(seed), size.jobs())) {
      seconds.put(ObjectKey.of(job.workload().metadata()), job.seconds());
      cluster.arrivesAt(job.arrives(), job.workload());
    }
  }

  /** Plays it to the end of its last job. */
  public static TrialResult run(LoadFamily family, long seed, Size size) {
    return new ForecastTrial(family, seed, size).run();
  }

  private TrialResult run() {
    Instant due = LoadWorld.START;
    while (cluster.step()) {
      if (!cluster.now().isBefore(due)) {
        forecast();
        due = cluster.now().plus(size.between());
      }
    }
    return result();
  }

  @Override
  public boolean follows() {
    return true;
  }

  @Override
  public double seconds(WorkloadState workload, Instant now) {
    return seconds.getOrDefault(workload.key(), Double.POSITIVE_INFINITY);
  }

  @Override
  public void changed(WorkloadState workload, Instant now) {
    tracker.seen(workload, now).forEach(this::take);
  }

  @Override
  public void deleted(ObjectKey workload, Instant now) {
    tracker.deleted(workload, "", now).forEach(this::take);
  }

  private void take(HistoryLine line) {
    runTimes.add(line);
    arrivals.add(line);
    book.add(line);
    if (line instanceof Transition transition) {
      ends += transition.step() == Step.FINISHED ? 1 : 0;
      Held held = transition.held();
      if (transition.step() == Step.RESERVED && held != null) {
        started(transition.subject().uid(), held);
      }
    }
  }

  private void started(String uid, Held held) {
    Deque<Instant> last = lastStarts.computeIfAbsent(held.clusterQueue(), _ -> new ArrayDeque<>());
    last.addLast(held.reserved());
    if (last.size() > INTERVALS) {
      last.removeFirst();
    }
    Said said = open.remove(uid);
    if (said != null) {
      Instant asOf = said.forecast().basis().asOf();
      compared.add(new Compared(said, Duration.between(asOf, held.reserved()).toMillis() / 1000.0));
    }
  }

  private void forecast() {
    Instant now = cluster.now();
    Map<ObjectKey, Forecast> forecasts = forecasts(now, size.plays(), false);
    book.update(forecasts);
    if (ends < WARM) {
      return;
    }
    Map<ObjectKey, Forecast> plan = forecasts(now, 1, true);
    Snapshot snapshot = cluster.snapshot();
    for (String queue : snapshot.clusterQueues()) {
      for (WaitingLine.Place place : snapshot.line(queue).places()) {
        Forecast said = book.find(place.workload().key());
        Forecast planned = plan.get(place.workload().key());
        if (said == null || planned == null || open.containsKey(said.uid())) {
          continue;
        }
        if (said.status() == Forecast.Status.WINDOW) {
          open.put(
              said.uid(),
              new Said(
                  said,
                  (place.inClusterQueue() + 1) * interval(queue, now),
                  planned.raw().middle()));
        } else if (said.status() != Forecast.Status.NOW) {
          withheld.add(said.uid());
        }
      }
    }
  }

  private double interval(String queue, Instant now) {
    Deque<Instant> last = lastStarts.getOrDefault(queue, new ArrayDeque<>());
    return last.size() < 2
        ? 0
        : Duration.between(last.getFirst(), now).toMillis() / 1000.0 / (last.size() - 1);
  }

  /**
   * The forecasts of this moment.
   *
   * @param byLimits whether they are a plan by limits of users, without a history
   */
  private Map<ObjectKey, Forecast> forecasts(Instant now, int plays, boolean byLimits) {
    QuotaEngine engine = cluster.fork();
    if (byLimits) {
      limit(engine, now);
    }
    RunTimes known = byLimits ? new RunTimes() : runTimes;
    List<WorkloadFacts> present = byLimits ? List.of() : tracker.unfinished();
    return Forecaster.run(
        engine,
        now,
        known.model(present, now),
        tracker::find,
        byLimits ? new Arrivals() : arrivals,
        new Forecaster.Bounds(plays, plays, Duration.ofDays(2), 20_000),
        seed * 1_000_003 + now.getEpochSecond(),
        _ -> true);
  }

  /** Sets a limit of the user for each Workload, of three times what it really runs. */
  private void limit(QuotaEngine engine, Instant now) {
    for (WorkloadState state : engine.snapshot(now).workloads()) {
      Double runs = seconds.get(state.key());
      if (runs != null) {
        WorkloadSpec spec = state.workload().spec();
        WorkloadSpec limited =
            new WorkloadSpec(
                spec.podSets(),
                spec.queueName(),
                spec.priorityClassRef(),
                spec.priority(),
                spec.active(),
                (int) Math.round(LIMIT * runs),
                spec.preemptionGates());
        engine.apply(Change.upserted(ObjectKind.WORKLOAD, state.workload().with(limited)), now);
      }
    }
  }

  private TrialResult result() {
    int within =
        (int)
            compared.stream().filter(it -> it.said().forecast().band().holds(it.seconds())).count();
    return new TrialResult(
        family,
        seed,
        compared.size(),
        within,
        withheld.size(),
        median(it -> Math.abs(it.seconds() - it.said().forecast().band().middle())),
        median(it -> Math.abs(it.seconds() - it.said().byPosition())),
        median(it -> Math.abs(it.seconds() - it.said().byLimits())),
        median(Compared::seconds),
        median(it -> it.said().forecast().band().late() - it.said().forecast().band().early()));
  }

  private double median(ToDoubleFunction<Compared> value) {
    double[] sorted = compared.stream().mapToDouble(value).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }
}
