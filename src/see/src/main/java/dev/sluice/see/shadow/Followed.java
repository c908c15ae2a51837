package dev.sluice.see.shadow;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.shadow.OpenCase.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An engine that follows a cluster in which another scheduler decides, and its states of the last
 * seconds. Its own decisions are made on forks; it only keeps who has to wait. For one thread.
 */
final class Followed {
  /** Forks that are kept; where there are more, those between the older ones go. */
  private static final int MOST_STATES = 64;

  private final QuotaEngine engine;
  private final Duration grace;
  private final List<State> states = new ArrayList<>();
  private Turns.@Nullable Run plan;
  private Instant plannedFor = Instant.MIN;

  Followed(EngineConfiguration configuration, Duration grace) {
    this.engine = new QuotaEngine(configuration);
    this.grace = grace;
  }

  Snapshot snapshot(Instant now) {
    return engine.snapshot(now);
  }

  QuotaEngine fork() {
    return engine.fork();
  }

  void apply(Change change, Instant now) {
    engine.apply(change, now);
    plan = null;
  }

  /** Keeps the present state, which is about to change. */
  void remember(Instant now) {
    Instant oldest = now.minus(grace);
    states.removeIf(it -> it.at().isBefore(oldest));
    if (!states.isEmpty()
        && now.isBefore(states.getLast().at().plus(grace.dividedBy(MOST_STATES)))) {
      return;
    }
    if (states.size() >= MOST_STATES) {
      for (int i = MOST_STATES / 2; i > 0; i -= 2) {
        states.remove(i);
      }
    }
    states.add(new State(engine.fork(), now));
  }

  /** The states that were kept in the last grace, the latest first. */
  List<State> earlier(Instant now) {
    Instant oldest = now.minus(grace);
    return states.reversed().stream().filter(it -> !it.at().isBefore(oldest)).toList();
  }

  /** What we would decide now, up to the decision about that Workload. */
  Turns.Run run(ObjectKey until, Instant now) {
    Turns.Run run = Turns.run(engine, until, now);
    Turns.rest(engine, run.quiet(), now);
    return run;
  }

  /** All that we would decide now. */
  Turns.Run plan(Instant now) {
    Turns.Run known = plan;
    boolean isOver =
        engine
            .nextBackoffOver()
            .filter(it -> it.isAfter(plannedFor) && !it.isAfter(now))
            .isPresent();
    if (known == null || isOver) {
      known = Turns.run(engine, null, now);
      Turns.rest(engine, known.quiet(), now);
      plan = known;
      plannedFor = now;
    }
    return known;
  }
}
