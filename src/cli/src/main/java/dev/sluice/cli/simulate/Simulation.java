package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.cli.simulate.SimulationEvent.What;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.Target;
import dev.sluice.see.explain.Obstacle;
import dev.sluice.see.phase.WorkloadPhase;
import dev.sluice.server.world.ClusterState;
import dev.sluice.server.world.SimulatedCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs the queues on manifests: a number of cycles at one moment, or until nothing changes. In the
 * latter case time passes: a workload with a later creation time arrives then, and a workload with
 * a run time ends that long after its admission. Used once.
 */
final class Simulation {
  private static final int MAX_EVENTS = 1_000_000;
  private static final String EVICTED = EventReasons.EVICTED_DUE_TO;

  private final SimulatedCluster cluster;
  private final Instant start;
  private final Agenda agenda = new Agenda();
  private final Map<String, Map<FlavorResource, Long>> usage = new TreeMap<>();
  private final List<Moment> moments = new ArrayList<>();
  private final Map<ObjectKey, String> told = new TreeMap<>();
  private int cycles;

  /**
   * A simulation that has not begun.
   *
   * @throws IllegalArgumentException naming the object and the field, if something is malformed
   */
  Simulation(SimulationInput input, Instant start) {
    this.start = start;
    this.cluster = new SimulatedCluster(input.configuration(), start);
    input.objects().forEach(cluster::apply);
    for (JsonNode object : input.work()) {
      Instant created = Agenda.created(object).orElse(start);
      if (created.isAfter(start)) {
        agenda.arrival(created, object);
      } else {
        cluster.apply(object);
      }
    }
    cluster.clusterQueues().forEach(this::measure);
    moments.add(new Moment(start, 0, List.of(), copyOfUsage()));
  }

  /** So many cycles at the time of the beginning, with all that others do between them. */
  Timeline runCycles(int count) {
    for (int i = 0; i < count; i++) {
      cluster.passTo(start);
      record(cluster.cycle());
    }
    return timeline();
  }

  /** Runs until nothing changes. */
  Timeline runUntilQuiet() {
    cluster.passTo(start);
    cluster.takeArrived(); // they were there from the beginning
    cluster.state().workloads().values().forEach(this::planAdmitted);
    settle();
    Instant time = next();
    for (int i = 0; i < MAX_EVENTS && time.isBefore(Instant.MAX); i++) {
      boolean due = time.equals(cluster.nextDue().orElse(null));
      cluster.passTo(time);
      List<SimulationEvent> simulated = new ArrayList<>();
      agenda.takeUntil(time).forEach(event -> happen(event, simulated));
      cluster.reconcile();
      cluster
          .takeArrived()
          .forEach(key -> simulated.add(new SimulationEvent(What.ARRIVED, key, "", "", "")));
      tellNews(simulated);
      if (!simulated.isEmpty()) {
        moments.add(new Moment(time, 0, simulated, copyOfUsage()));
      }
      if (due || !simulated.isEmpty()) {
        settle();
      }
      time = next();
    }
    return timeline();
  }

  private void settle() {
    cluster.settle(this::record);
    List<SimulationEvent> simulated = new ArrayList<>();
    tellNews(simulated);
    if (!simulated.isEmpty()) {
      moments.add(new Moment(cluster.now(), 0, simulated, copyOfUsage()));
    }
  }

  /** When something happens next; {@code MAX} for never. */
  private Instant next() {
    Instant event = agenda.next();
    Instant due = cluster.nextDue().orElse(Instant.MAX);
    return due.isBefore(event) ? due : event;
  }

  private void happen(Agenda.Event event, List<SimulationEvent> simulated) {
    if (event.arrival() != null) {
      cluster.apply(event.arrival());
      return;
    }
    Optional<Workload> running =
        cluster
            .find(event.key())
            .filter(it -> !it.status().isTrue(ConditionTypes.FINISHED))
            .filter(it -> admittedSince(it).equals(Optional.ofNullable(event.admitted())));
    if (running.isPresent()) { // else it did not get to its end
      String queue = queueOf(running.get());
      cluster.finish(event.key());
      measure(queue);
      simulated.add(new SimulationEvent(What.FINISHED, event.key(), queue, "", ""));
    }
  }

  private static Optional<Instant> admittedSince(Workload workload) {
    return workload
        .status()
        .condition(ConditionTypes.ADMITTED)
        .filter(it -> it.status() == ConditionStatus.TRUE)
        .map(Condition::lastTransitionTime);
  }

  /** What others than the engine decided: workloads that have to stop, or may start. */
  private void tellNews(List<SimulationEvent> simulated) {
    for (Write.Event event : cluster.takeEvents()) {
      ObjectKey key = new ObjectKey(event.target().namespace(), event.target().name());
      Optional<Workload> workload =
          event.target().kind().equals(ApiKind.WORKLOAD.hub())
              ? cluster.find(key)
              : Optional.empty();
      if (workload.isPresent() && event.reason().startsWith(EVICTED)) {
        String reason = event.reason().substring(EVICTED.length());
        simulated.add(new SimulationEvent(What.EVICTED, key, "", reason, event.message()));
        cluster.clusterQueues().forEach(this::measure);
      } else if (workload.isPresent() && event.reason().equals(ConditionTypes.ADMITTED)) {
        String queue = queueOf(workload.get());
        simulated.add(
            new SimulationEvent(What.ADMITTED, key, queue, "", Flavors.of(workload.get())));
        plan(workload.get());
      }
    }
  }

  private void record(CycleResult result) {
    if (result.outcomes().isEmpty()) {
      return; // no workload was pending
    }
    cycles++;
    List<SimulationEvent> simulated = new ArrayList<>();
    tellNews(simulated);
    for (Outcome outcome : result.outcomes()) {
      tell(outcome, simulated);
    }
    measureAll(result);
    if (!simulated.isEmpty()) {
      moments.add(new Moment(cluster.now(), cycles, simulated, copyOfUsage()));
    }
  }

  private void tell(Outcome outcome, List<SimulationEvent> simulated) {
    Workload workload = cluster.get(outcome.workload());
    String queue = outcome.clusterQueue();
    switch (outcome.decision()) {
      case Decision.Reserved _ -> {
        boolean admitted = workload.status().isTrue(ConditionTypes.ADMITTED);
        told.remove(outcome.workload());
        simulated.add(
            new SimulationEvent(
                admitted ? What.ADMITTED : What.RESERVED,
                outcome.workload(),
                queue,
                "",
                Flavors.of(workload)));
        plan(workload);
      }
      case Decision.Preempting preempting -> {
        simulated.add(
            new SimulationEvent(
                What.PREEMPTING, outcome.workload(), queue, reason(workload), message(workload)));
        preempting.targets().forEach(target -> tell(target, outcome.workload(), simulated));
      }
      default -> tellWaiting(outcome, workload, simulated);
    }
  }

  private void tell(Target target, ObjectKey by, List<SimulationEvent> simulated) {
    if (!target.alreadyEvicted()) {
      simulated.add(
          new SimulationEvent(
              What.PREEMPTED,
              target.workload(),
              target.clusterQueue(),
              target.why().text(),
              "by " + by));
    }
  }

  /** An unchanged pending reason is not reported again. */
  private void tellWaiting(Outcome outcome, Workload workload, List<SimulationEvent> simulated) {
    String message = message(workload);
    if (!message.equals(told.put(outcome.workload(), message))) {
      simulated.add(
          new SimulationEvent(
              What.WAITING, outcome.workload(), outcome.clusterQueue(), reason(workload), message));
    }
  }

  private void plan(Workload workload) {
    ObjectKey key = ObjectKey.of(workload.metadata());
    Optional<Instant> admitted = admittedSince(workload);
    if (admitted.isPresent()) {
      Instant since = admitted.get();
      Agenda.runsFor(cluster.withOwners(key))
          .map(since::plus)
          .map(end -> end.isBefore(cluster.now()) ? cluster.now() : end)
          .ifPresent(end -> agenda.end(end, key, since));
    }
  }

  /** A workload that runs at the beginning ends at its time after its admission, or at once. */
  private void planAdmitted(Workload workload) {
    if (!workload.status().isTrue(ConditionTypes.FINISHED)) {
      plan(workload);
    }
  }

  private void measureAll(CycleResult result) {
    Set<String> touched = new HashSet<>();
    result.outcomes().forEach(outcome -> touched.add(outcome.clusterQueue()));
    for (Moment moment : moments.isEmpty() ? moments : List.of(moments.getLast())) {
      moment.events().forEach(event -> touched.add(event.queue()));
    }
    touched.remove("");
    touched.forEach(this::measure);
  }

  private void measure(String queue) {
    Map<FlavorResource, Long> used = new TreeMap<>();
    cluster.standing(queue).forEach((pair, standing) -> used.put(pair, standing.used().value()));
    usage.put(queue, used);
  }

  /** The maps inside are never changed, only replaced. */
  private Map<String, Map<FlavorResource, Long>> copyOfUsage() {
    return new TreeMap<>(usage);
  }

  private static String queueOf(Workload workload) {
    var admission = workload.status().admission();
    String queue = admission == null ? null : admission.clusterQueue();
    return queue == null ? "" : queue;
  }

  private static String reason(Workload workload) {
    Condition condition = Flavors.reserved(workload);
    return condition == null ? "" : condition.reason();
  }

  private static String message(Workload workload) {
    Condition condition = Flavors.reserved(workload);
    return condition == null ? "" : condition.message();
  }

  private Timeline timeline() {
    Map<String, Map<FlavorResource, Long>> nominal = new TreeMap<>();
    for (String queue : cluster.clusterQueues()) {
      Map<FlavorResource, Long> quota = new TreeMap<>();
      cluster.standing(queue).forEach((pair, s) -> quota.put(pair, s.nominal().value()));
      nominal.put(queue, quota);
    }
    ClusterState end = cluster.state();
    Map<ObjectKey, String> obstacles = new TreeMap<>();
    for (ObjectKey key : end.workloads().keySet()) {
      WorkloadPhase phase = end.phase(key);
      if (phase.waits()) {
        cluster.obstacle(key).ifPresent(obstacle -> obstacles.put(key, obstacle));
      }
      if (phase == WorkloadPhase.UNQUEUED) {
        obstacles.putIfAbsent(key, Obstacle.OF_ITS_OWN);
      }
    }
    return new Timeline(start, moments, nominal, end, obstacles, cycles);
  }
}
