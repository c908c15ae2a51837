package dev.sluice.cli.replay;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.cli.picture.UsageOverTime;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Plays a {@link Course} again with other queues or another configuration. Work arrives as it did
 * and runs as long as it did; all decisions are new. Work that is preempted stops at once and
 * starts over. For one thread.
 */
final class WhatIf {
  private static final int MOST_CYCLES = 10_000;

  /** What became of a ClusterQueue. */
  static final class Result {
    private final List<Duration> waits = new ArrayList<>();
    private int preempted;
    private int starved;
    private int guessed;
    private final Map<String, Double> unitHours = new TreeMap<>();

    /** From arrival to the first reservation, the shortest first. */
    List<Duration> waits() {
      return waits.stream().sorted().toList();
    }

    /** How often work of the queue was preempted. */
    int preempted() {
      return preempted;
    }

    /** How much work never got quota. */
    int starved() {
      return starved;
    }

    /** How much work had not ended in the recording, and ran for a median. */
    int guessed() {
      return guessed;
    }

    /** What was reserved, in hours of a unit of each resource. */
    Map<String, Double> unitHours() {
      return unitHours;
    }
  }

  private sealed interface Happening {
    record Arrives(Course.Work work) implements Happening {}

    record Ends(ObjectKey workload, int run) implements Happening {}

    record Goes(ObjectKey workload) implements Happening {}

    record Changes(Change change) implements Happening {}
  }

  private record Due(Instant at, int order, Happening what) {}

  private static final class Running {
    private final Course.Work work;
    private boolean started;
    private int run;
    private Instant since = Instant.EPOCH;

    Running(Course.Work work) {
      this.work = work;
    }
  }

  private final Course course;
  private final Map<String, Duration> medians;
  private final QuotaEngine engine;
  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingInt(Due::order));
  private final Map<ObjectKey, Running> work = new HashMap<>();
  private final Map<String, Result> results = new TreeMap<>();
  private final UsageRecorder usage;
  private int orders;
  private Instant now;

  private WhatIf(Course course, EngineConfiguration configuration, Edits edits, boolean draws) {
    this.usage = new UsageRecorder(draws);
    this.course = course;
    this.medians = course.medians();
    this.engine = new QuotaEngine(configuration);
    engine.assumePodsReady(); // who was ready when is not played
    this.now = course.start();
    edits.added().forEach(it -> add(now, new Happening.Changes(it)));
    course.edits().forEach(it -> add(it.at(), new Happening.Changes(edits.of(it.change()))));
    for (Course.Work one : course.work()) {
      add(one.arrived(), new Happening.Arrives(one));
      Instant withdrawn = one.withdrawn();
      if (withdrawn != null) {
        add(withdrawn, new Happening.Goes(ObjectKey.of(one.workload().metadata())));
      }
    }
  }

  /**
   * Plays it until the end of the recording.
   *
   * @param edits of recorded objects
   * @param draws whether the use of quota is asked for
   */
  static WhatIf play(Course course, EngineConfiguration configuration, Edits edits, boolean draws) {
    WhatIf played = new WhatIf(course, configuration, edits, draws);
    played.play();
    return played;
  }

  /** What became of each ClusterQueue. */
  Map<String, Result> results() {
    return results;
  }

  /** What was used when. */
  UsageOverTime usage() {
    return usage.result();
  }

  private void add(Instant at, Happening what) {
    due.add(new Due(at, orders++, what));
  }

  private void play() {
    while (true) {
      Instant next = due.isEmpty() ? Instant.MAX : due.element().at();
      Instant backoff = engine.nextBackoffOver().orElse(Instant.MAX);
      Instant at = next.isBefore(backoff) ? next : backoff;
      if (at.isAfter(course.end())) {
        break;
      }
      now = at.isBefore(now) ? now : at;
      while (!due.isEmpty() && !due.element().at().isAfter(now)) {
        happen(due.remove().what());
      }
      decide();
      if (usage.isWanted()) {
        usage.look(now, engine.snapshot(now));
      }
    }
    now = course.end();
    work.values().forEach(this::conclude);
  }

  private void happen(Happening what) {
    switch (what) {
      case Happening.Changes(var change) -> engine.apply(change, now);
      case Happening.Arrives(var one) -> {
        work.put(ObjectKey.of(one.workload().metadata()), new Running(one));
        engine.apply(Change.upserted(ObjectKind.WORKLOAD, fresh(one.workload())), now);
      }
      case Happening.Goes(var key) -> {
        Running running = work.get(key);
        if (running != null && !running.started) {
          leave(key);
        }
      }
      case Happening.Ends(var key, var run) -> {
        Running running = work.get(key);
        if (running != null && running.run == run) {
          held(key, running);
          leave(key);
        }
      }
    }
  }

  /** Without a resourceVersion, so that the engine takes each status that it is told. */
  private static Workload fresh(Workload workload) {
    return workload.with(workload.metadata().toBuilder().resourceVersion(null).build());
  }

  private void leave(ObjectKey key) {
    work.remove(key);
    engine.apply(new Change.Deleted(ObjectKind.WORKLOAD, key), now);
  }

  private void decide() {
    for (int i = 0; i < MOST_CYCLES; i++) {
      CycleResult result = engine.cycle(now);
      usage.cycled();
      result.outcomes().forEach(this::carryOut);
      if (!result.changed()) {
        return;
      }
    }
  }

  private void carryOut(Outcome outcome) {
    switch (outcome.decision()) {
      case Decision.Reserved _ -> reserved(outcome);
      case Decision.Preempting(_, var targets) -> targets.forEach(this::gaveWay);
      default -> {
        // nobody starts or stops
      }
    }
  }

  private Result of(String queue) {
    return results.computeIfAbsent(queue, _ -> new Result());
  }

  private void reserved(Outcome outcome) {
    ObjectKey key = outcome.workload();
    Running running = work.get(key);
    engine.apply(new Change.StatusStored(key), now);
    if (running == null) {
      return;
    }
    Result result = of(outcome.clusterQueue());
    Duration ran = running.work.ran();
    if (!running.started) {
      running.started = true;
      result.waits.add(Duration.between(running.work.arrived(), now));
      result.guessed += ran == null ? 1 : 0;
    }
    running.run++;
    running.since = now;
    Duration runs = ran == null ? median(outcome.clusterQueue()) : ran;
    add(now.plus(runs), new Happening.Ends(key, running.run));
  }

  private Duration median(String queue) {
    Duration own = medians.get(queue);
    return own == null ? medians.getOrDefault("", Duration.ofHours(1)) : own;
  }

  private void gaveWay(Target target) {
    Running running = work.get(target.workload());
    if (running == null || target.alreadyEvicted()) {
      return;
    }
    held(target.workload(), running);
    running.run++; // the planned end is none any more
    of(target.clusterQueue()).preempted++;
    Workload evicted = engine.snapshot(now).workload(target.workload());
    engine.apply(new Change.StatusStored(target.workload()), now);
    if (evicted != null) {
      engine.apply(Change.upserted(ObjectKind.WORKLOAD, released(evicted)), now);
    }
  }

  private Workload released(Workload evicted) {
    List<Condition> conditions = new ArrayList<>();
    for (Condition condition : evicted.status().conditions()) {
      boolean over =
          condition.type().equals(ConditionTypes.QUOTA_RESERVED)
              || condition.type().equals(ConditionTypes.ADMITTED);
      conditions.add(
          over
              ? new Condition(
                  condition.type(), ConditionStatus.FALSE, null, now, ConditionTypes.PREEMPTED, "")
              : condition);
    }
    WorkloadStatus status =
        evicted.status().toBuilder().conditions(conditions).admission(null).build();
    return evicted.with(status);
  }

  /** Adds what the work held since it got quota. */
  private void held(ObjectKey key, Running running) {
    WorkloadState state = engine.snapshot(now).state(key);
    if (state != null && state.holdsQuota()) {
      double hours = Duration.between(running.since, now).toMillis() / 3_600_000.0;
      Result result = of(state.reservedIn());
      state
          .usage()
          .forEach(
              (pair, amount) ->
                  result.unitHours.merge(
                      pair.resource(), hours * units(pair.resource(), amount), Double::sum));
    }
  }

  private static double units(String resource, long amount) {
    return Amount.toQuantity(resource, amount).value().doubleValue();
  }

  /** At the end of the recording. */
  private void conclude(Running running) {
    ObjectKey key = ObjectKey.of(running.work.workload().metadata());
    held(key, running);
    if (!running.started) {
      WorkloadState state = engine.snapshot(now).state(key);
      String queue = state == null ? null : engine.snapshot(now).queueFor(state);
      of(queue == null ? "" : queue).starved++;
    }
  }
}
