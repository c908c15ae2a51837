package dev.sluice.see.forecast;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.queue.WaitingLine;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.history.Subject;
import dev.sluice.see.history.WorkloadFacts;
import dev.sluice.see.runtimes.RunTimeEstimate;
import dev.sluice.see.runtimes.RunTimeModel;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts when each waiting Workload gets quota, by playing the queues forward on forks of the
 * engine. Each play draws for each Workload how long it runs, given how long it has run, and what
 * else comes. The same input and seed give the same forecasts. For one thread.
 *
 * <p>Costs the plays, each with all that starts and ends in it.
 */
public final class Forecaster {
  /** Evicted Workloads that still hold quota are taken to stop after this time. */
  static final double STOPPING_SECONDS = 30;

  private static final int MOST_ARRIVALS = 2_000;

  /**
   * The bounds of a forecast.
   *
   * @param plays at most; fewer if the time is over
   * @param fewest plays, which are played to their ends in any case
   * @param horizon beyond which nothing is said
   * @param events of one play, at most
   */
  public record Bounds(int plays, int fewest, Duration horizon, int events) {
    /** 32 plays of up to a day, two at least. */
    public static final Bounds USUAL = new Bounds(32, 2, Duration.ofDays(1), 20_000);
  }

  private final QuotaEngine engine;
  private final Instant now;
  private final RunTimeModel model;
  private final Arrivals.Drawn arrivals;
  private final Bounds bounds;
  private final Snapshot snapshot;
  private final RunEstimates estimates;

  /** Of those that may come; each is the same object in all plays. */
  private final IdentityHashMap<Subject, Optional<RunTimeEstimate>> ofArrivals =
      new IdentityHashMap<>();

  /** The seconds to the start of each waiting Workload, one number for each play. */
  private final Map<ObjectKey, double[]> starts = new LinkedHashMap<>();

  private final Map<ObjectKey, String> queues = new HashMap<>();
  private int idleEnds;

  private Forecaster(
      QuotaEngine engine,
      Instant now,
      RunTimeModel model,
      Function<ObjectKey, @Nullable WorkloadFacts> known,
      Arrivals arrivals,
      Bounds bounds) {
    this.engine = engine;
    this.now = now;
    this.model = model;
    this.arrivals = arrivals.until(now, now.plus(bounds.horizon()), MOST_ARRIVALS);
    this.bounds = bounds;
    this.snapshot = engine.snapshot(now);
    this.estimates = new RunEstimates(snapshot, now, new KnownRuns(model, known));
  }

  /**
   * The forecasts for all that wait in ClusterQueues.
   *
   * @param engine is forked, and stays as it is
   * @param known what a history knows of a Workload, or null
   * @param time asked after each event whether there is time left
   * @return empty if there was not even time for one play
   */
  public static Map<ObjectKey, Forecast> run(
      QuotaEngine engine,
      Instant now,
      RunTimeModel model,
      Function<ObjectKey, @Nullable WorkloadFacts> known,
      Arrivals arrivals,
      Bounds bounds,
      long seed,
      Time time) {
    return new Forecaster(engine, now, model, known, arrivals, bounds).run(seed, time);
  }

  /** The time for the plays. */
  @FunctionalInterface
  public interface Time {
    /**
     * Whether there is some left.
     *
     * @param isNeeded whether it is for one of the fewest plays
     */
    boolean isLeft(boolean isNeeded);
  }

  private Map<ObjectKey, Forecast> run(long seed, Time time) {
    for (String queue : snapshot.clusterQueues()) {
      for (WaitingLine.Place place : snapshot.line(queue).places()) {
        queues.put(place.workload().key(), queue);
        starts.put(place.workload().key(), new double[bounds.plays()]);
      }
    }
    starts.values().forEach(it -> Arrays.fill(it, Double.POSITIVE_INFINITY));
    int plays = 0;
    while (plays < bounds.plays() && !starts.isEmpty()) {
      boolean isNeeded = plays < bounds.fewest();
      BooleanSupplier mayGoOn = () -> time.isLeft(isNeeded);
      if (!mayGoOn.getAsBoolean()
          || !new Play(plays, new SplittableRandom(seed + plays), mayGoOn).run()) {
        break; // the starts of a play that was cut off are not counted
      }
      plays++;
    }
    Map<ObjectKey, Forecast> forecasts = new LinkedHashMap<>();
    int played = plays;
    if (played == 0) {
      return forecasts;
    }
    starts.forEach((key, seconds) -> forecasts.put(key, forecast(key, seconds, played)));
    return forecasts;
  }

  private Forecast forecast(ObjectKey key, double[] seconds, int plays) {
    double[] sorted = Arrays.copyOf(seconds, Math.max(1, plays));
    Arrays.sort(sorted);
    Band band = Band.of(sorted);
    Optional<RunTimeEstimate> own = estimates.of(key);
    WorkloadState state = snapshot.state(key);
    return new Forecast(
        key,
        state == null ? "" : state.uid(),
        queues.getOrDefault(key, ""),
        status(key, band, plays),
        band,
        band,
        new Forecast.Basis(
            now,
            own.map(RunTimeEstimate::group),
            own.map(it -> it.curve().samples()).orElse(0),
            plays));
  }

  private Forecast.Status status(ObjectKey key, Band band, int plays) {
    if (band.late() < 1) {
      return Forecast.Status.NOW;
    }
    if (Double.isFinite(band.middle())) {
      return Forecast.Status.WINDOW;
    }
    String queue = queues.getOrDefault(key, "");
    if (!snapshot.inactivity(queue).isEmpty()) {
      return Forecast.Status.BLOCKED;
    }
    if (isUnknown(queue)) {
      return Forecast.Status.TOO_LITTLE_HISTORY;
    }
    return idleEnds == plays ? Forecast.Status.BLOCKED : Forecast.Status.BEYOND_HORIZON;
  }

  /** Whether somebody holds quota of the tree whose run time nobody can estimate. */
  private boolean isUnknown(String clusterQueue) {
    var tree = snapshot.treeOf(clusterQueue);
    for (int node = 0; tree != null && node < tree.shape().size(); node++) {
      if (tree.shape().isQueue(node)) {
        for (WorkloadState holder : snapshot.holders(tree.shape().name(node).name())) {
          if (estimates.of(holder.key()).isEmpty()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** The queues played forward once. */
  private final class Play implements VirtualCluster.Life {
    private final int number;
    private final RandomGenerator random;
    private final BooleanSupplier goOn;
    private final VirtualCluster cluster;
    private final Set<ObjectKey> waiting = new HashSet<>(starts.keySet());
    private final Map<ObjectKey, Arrivals.Arrival> come = new HashMap<>();

    Play(int number, RandomGenerator random, BooleanSupplier goOn) {
      this.number = number;
      this.random = random;
      this.goOn = goOn;
      this.cluster = new VirtualCluster(engine.fork(), now, this);
      cluster.assumePodsReady();
    }

    /** Whether it was played to the end: all started, nothing happens, or the horizon is there. */
    boolean run() {
      for (String queue : snapshot.clusterQueues()) {
        snapshot.holders(queue).forEach(this::goesOn);
      }
      Arrivals.Drawing drawing = arrivals.begin(random);
      cluster.settle();
      Instant end = now.plus(bounds.horizon());
      while (!waiting.isEmpty()) {
        comes(drawing);
        Optional<Instant> next = cluster.next();
        if (next.isEmpty() || next.get().isAfter(end)) {
          idleEnds += cluster.running() == 0 ? 1 : 0;
          return true;
        }
        if (cluster.handled() > bounds.events()) {
          return true;
        }
        if (!goOn.getAsBoolean()) {
          return false;
        }
        cluster.step();
      }
      return true;
    }

    /** What comes before the next event becomes events itself. */
    private void comes(Arrivals.Drawing drawing) {
      Instant next = cluster.next().orElse(Instant.MAX);
      for (Instant at = drawing.at(); at != null && !at.isAfter(next); at = drawing.at()) {
        drawing
            .take()
            .ifPresent(
                it -> {
                  come.put(ObjectKey.of(it.workload().metadata()), it);
                  cluster.arrivesAt(it.at(), it.workload());
                });
        next = cluster.next().orElse(Instant.MAX);
      }
    }

    private void goesOn(WorkloadState holder) {
      if (holder.evicted()) {
        cluster.releasesIn(holder.key(), STOPPING_SECONDS);
        return;
      }
      double elapsed = estimates.elapsed(holder);
      estimates
          .of(holder.key())
          .ifPresent(
              it ->
                  cluster.endsIn(
                      holder.key(), it.quantile(elapsed, random.nextDouble()) - elapsed));
    }

    @Override
    public void started(WorkloadState workload, Instant at) {
      if (waiting.remove(workload.key())) {
        double[] seconds = starts.get(workload.key());
        if (seconds != null) {
          seconds[number] = Duration.between(now, at).toMillis() / 1000.0;
        }
      }
    }

    @Override
    public double seconds(WorkloadState workload, Instant at) {
      Arrivals.Arrival arrival = come.get(workload.key());
      Optional<RunTimeEstimate> estimate =
          arrival == null
              ? estimates.of(workload.key())
              : ofArrivals.computeIfAbsent(
                  arrival.subject(), it -> model.of(it, workload.reservedIn()));
      return estimate
          .map(it -> it.quantile(0, random.nextDouble()))
          .orElse(Double.POSITIVE_INFINITY);
    }
  }
}
