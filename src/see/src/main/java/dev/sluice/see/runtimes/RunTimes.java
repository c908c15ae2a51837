package dev.sluice.see.runtimes;

import dev.sluice.see.history.Held;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Transition;
import dev.sluice.see.history.WorkloadFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last runs of each group of Workloads, from the lines of a history. A run that ends by itself
 * counts as an end; one that is evicted, deleted or released was cut off. Thread-safe, and bounded:
 * it keeps {@value #MOST_RUNS} runs of each of the {@value #MOST_GROUPS} groups that ran last.
 */
public final class RunTimes {
  private static final int MOST_RUNS = 200;
  private static final int MOST_GROUPS = 5_000;

  private final Map<RunGroup, Deque<Survival.Run>> groups =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<RunGroup, Deque<Survival.Run>> eldest) {
          return size() > MOST_GROUPS;
        }
      };

  /** Takes note of a line; only those that end a run count. */
  public void add(HistoryLine line) {
    if (line instanceof Transition transition && ends(transition.step())) {
      Held held = transition.held();
      if (held != null) {
        add(
            RunGroup.of(transition.subject(), held.clusterQueue()),
            new Survival.Run(ran(held, transition.at()), transition.step() == Step.FINISHED));
      }
    }
  }

  private static boolean ends(Step step) {
    return step == Step.FINISHED || step == Step.RELEASED || step == Step.GONE;
  }

  private synchronized void add(List<RunGroup> of, Survival.Run run) {
    for (RunGroup group : of) {
      Deque<Survival.Run> runs = groups.computeIfAbsent(group, _ -> new ArrayDeque<>());
      runs.addLast(run);
      if (runs.size() > MOST_RUNS) {
        runs.removeFirst();
      }
    }
  }

  /**
   * How long its job may have run by then: since it was admitted, or else since the reservation.
   */
  public static double ran(Held held, Instant until) {
    Instant began = held.admitted();
    return Math.max(
        0, Duration.between(began == null ? held.reserved() : began, until).toMillis() / 1000.0);
  }

  /**
   * The estimates at this moment.
   *
   * @param present those that are there; the ones that run count as cut off now
   */
  public RunTimeModel model(List<WorkloadFacts> present, Instant now) {
    Map<RunGroup, List<Survival.Run>> all = new HashMap<>();
    synchronized (this) {
      groups.forEach((group, runs) -> all.put(group, new ArrayList<>(runs)));
    }
    for (WorkloadFacts facts : present) {
      Held held = facts.held();
      if (held != null) {
        Survival.Run run = new Survival.Run(ran(held, now), false);
        RunGroup.of(facts.subject(), held.clusterQueue())
            .forEach(it -> all.computeIfAbsent(it, _ -> new ArrayList<>()).add(run));
      }
    }
    return new RunTimeModel(all);
  }
}
