package dev.sluice.cli.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.GoDuration;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.scenario.ScenarioResult.Failure;
import dev.sluice.server.world.SimulatedCluster;
import dev.sluice.server.world.SimulatedConfiguration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays scenarios: the objects, some cycles, a look at what came of it; then each step likewise. A
 * scenario has a cluster of its own, so several may be played at once.
 */
final class ScenarioRunner {
  private static final int MAX_CYCLES = 100_000;

  private ScenarioRunner() {}

  /** Runs a scenario to its end, or to its first error. */
  static ScenarioResult run(ScenarioFile file) {
    return run(file.scenario(), file.name(), file.place().toString());
  }

  /** The same of one that stands in no file. */
  static ScenarioResult run(Scenario scenario, String name, String place) {
    long start = System.nanoTime();
    List<Failure> failures = new ArrayList<>();
    String problem = "";
    try {
      play(scenario.spec(), failures);
    } catch (IllegalArgumentException | IllegalStateException e) {
      problem = String.valueOf(e.getMessage());
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    return new ScenarioResult(name, place, problem, failures, took);
  }

  private static void play(Scenario.Spec spec, List<Failure> failures) {
    var cluster =
        new SimulatedCluster(
            SimulatedConfiguration.read(spec.configuration(), spec.extensions()), spec.now());
    spec.objects().forEach(cluster::apply);
    cluster.planJobs();
    run(cluster, spec.cycles(), spec.untilQuiet());
    compare("at the beginning", spec.expect(), cluster, failures);
    for (Scenario.Step step : spec.steps()) {
      play(step, spec.now(), cluster);
      String name = step.name();
      String moment = name == null ? "at " + step.at() : "at " + step.at() + ", " + name;
      compare(moment, step.expect(), cluster, failures);
    }
  }

  private static void play(Scenario.Step step, Instant start, SimulatedCluster cluster) {
    cluster.passTo(time(step.at(), start));
    step.finish().forEach(name -> cluster.finish(key(name, cluster)));
    step.failNodes().forEach(cluster::failNode);
    step.checks().forEach(c -> cluster.answer(key(c.workload(), cluster), c.check(), c.state()));
    step.delete().forEach(d -> cluster.delete(d.kind(), d.namespace(), d.name()));
    for (JsonNode object : step.apply()) {
      cluster.apply(object);
    }
    cluster.reconcile();
    run(cluster, step.cycles(), step.untilQuiet());
  }

  private static void run(SimulatedCluster cluster, int cycles, boolean untilQuiet) {
    if (untilQuiet) {
      cluster.settle(_ -> {});
      return;
    }
    if (cycles < 0 || cycles > MAX_CYCLES) {
      throw new IllegalArgumentException(
          "cycles: " + cycles + " (expected: 0 to " + MAX_CYCLES + ")");
    }
    for (int i = 0; i < cycles; i++) {
      cluster.cycle();
    }
  }

  private static void compare(
      String moment, Expectation expectation, SimulatedCluster cluster, List<Failure> failures) {
    List<Difference> differences = Comparison.of(expectation, cluster.state());
    if (!differences.isEmpty()) {
      failures.add(new Failure(moment, differences));
    }
  }

  /** The time of a step: so long after the beginning, or the time itself. */
  static Instant time(String at, Instant start) {
    if (at.startsWith("+")) {
      return start.plus(GoDuration.require(at.substring(1)));
    }
    try {
      return Instant.parse(at);
    } catch (DateTimeException _) {
      throw new IllegalArgumentException(
          "at: " + at + " (expected: +30s, or a time like 2026-01-31T12:00:00Z)");
    }
  }

  private static ObjectKey key(String name, SimulatedCluster cluster) {
    int slash = name.indexOf('/');
    ObjectKey key =
        new ObjectKey(slash < 0 ? "default" : name.substring(0, slash), name.substring(slash + 1));
    return cluster.state().named(key);
  }
}
