package dev.sluice.see.runtimes;

import dev.sluice.see.history.RunTimeHints;
import dev.sluice.see.history.Subject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The estimates of run times at one moment. An estimate comes from the narrowest group of the
 * Workload that has {@value #ENOUGH} ends. For one thread.
 */
public final class RunTimeModel {
  /** So many ends of a group are enough. */
  public static final int ENOUGH = 5;

  private final Map<RunGroup, List<Survival.Run>> runs;
  private final Map<RunGroup, Survival> curves = new HashMap<>();

  RunTimeModel(Map<RunGroup, List<Survival.Run>> runs) {
    this.runs = runs;
  }

  /**
   * The estimate for a Workload; empty where no group of it has enough ends and its user says
   * nothing.
   *
   * @param clusterQueue that it runs or waits in
   */
  public Optional<RunTimeEstimate> of(Subject subject, String clusterQueue) {
    RunTimeHints hints = subject.hints();
    Optional<Found> found =
        RunGroup.of(subject, clusterQueue).stream()
            .map(it -> new Found(it, curve(it)))
            .filter(it -> it.curve().ends() >= ENOUGH)
            .findFirst();
    if (hints.expectedSeconds() > 0 || (found.isEmpty() && hints.maximumSeconds() > 0)) {
      return Optional.of(
          new RunTimeEstimate(
              new RunGroup(RunGroup.Level.USER, ""),
              found.map(Found::curve).orElseGet(() -> Survival.of(List.of())),
              hints));
    }
    return found.map(it -> new RunTimeEstimate(it.group(), it.curve(), hints));
  }

  private record Found(RunGroup group, Survival curve) {}

  private Survival curve(RunGroup group) {
    return curves.computeIfAbsent(group, it -> Survival.of(runs.getOrDefault(it, List.of())));
  }
}
