package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.WorkerCluster.JOB;
import static dev.sluice.multicluster.protocol.WorkerCluster.JOBS;
import static dev.sluice.multicluster.protocol.WorkerCluster.JOB_KEY;
import static dev.sluice.multicluster.protocol.WorkerCluster.WORKLOADS;
import static dev.sluice.multicluster.protocol.WorkerCluster.WORKLOAD_KEY;
import static dev.sluice.testkit.json.SingleQuoted.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.InMemoryObjects;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.multicluster.dispatch.AllAtOnce;
import dev.sluice.multicluster.dispatch.Incremental;
import dev.sluice.multicluster.protocol.Plan.Stop;
import dev.sluice.multicluster.sweep.Leftover;
import dev.sluice.multicluster.sweep.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A random run of a manager and three workers that run one Job: schedulers and Job controllers of
 * all clusters, users, cut links, messages that are delayed, doubled or lost, writes that are
 * refused or whose answer is lost, and kills of the manager between any two writes. The laws are
 * checked after each step.
 */
final class World {
  private static final Duration LOST_AFTER = Duration.ofSeconds(60);

  private final Random random;
  private final List<WorkerCluster> sites = new ArrayList<>();
  private final ManagerCluster manager = new ManagerCluster(sites);
  private final List<String> history = new ArrayList<>();
  private final Planner planner;
  private Instant now = Scene.NOW;
  private Optional<JsonNode> workloadSeen = Optional.empty();
  private Optional<JsonNode> jobSeen = Optional.empty();
  private Memory memory = Memory.NONE;
  private Optional<OwnOffer> ownOffer = Optional.empty();

  /** Jobs that a process sent just before it ended, and that arrive later. */
  private final List<Late> late = new ArrayList<>();

  private String certainAt = "";

  /** A write that is under way. */
  private record Late(WorkerCluster site, Write write) {}

  World(long seed) {
    random = new Random(seed);
    planner =
        new Planner(
            new ProtocolSettings(
                Scene.US,
                LOST_AFTER,
                random.nextBoolean() ? new AllAtOnce() : new Incremental(1, true),
                Optional.empty(),
                true));
    for (String name : List.of("a", "b", "c")) {
      sites.add(new WorkerCluster(name));
    }
    if (random.nextInt(4) == 0) {
      addForeign(sites.get(random.nextInt(3)));
    }
    manager.addJob(now);
  }

  private void addForeign(WorkerCluster site) {
    ObjectNode object =
        json(
            """
            {'metadata': {'name': 'j', 'namespace': 'ns', 'labels': {'app': 'theirs'}},
             'spec': {'suspend': true}}
            """);
    if (random.nextBoolean()) {
      site.addForeign(JOB, object, now);
    } else {
      object.withObjectProperty("metadata").put("name", "job-j");
      if (random.nextBoolean()) {
        object
            .withObjectProperty("metadata")
            .withObjectProperty("labels")
            .put("kueue.x-k8s.io/multikueue-origin", "another");
      }
      site.addForeign(WorkloadView.TYPE, object, now);
    }
  }

  // links and messages

  private void cut(WorkerCluster site) {
    if (site.isUp) {
      site.isUp = false;
      site.lostSince = now;
      site.unseen.clear(); // what was under way is lost
    }
  }

  private void restore(WorkerCluster site) {
    if (!site.isUp) {
      site.isUp = true;
      site.isTried = true;
      site.isListed = false;
    }
  }

  private void deliver(WorkerCluster site) {
    if (!site.isUp) {
      return;
    }
    if (!site.isListed) {
      site.list();
    } else if (!site.unseen.isEmpty()) {
      WorkerCluster.Change change = site.unseen.removeFirst();
      site.see(change);
      if (random.nextInt(4) == 0) {
        site.see(change); // doubled
      }
    }
  }

  private void look() {
    workloadSeen = manager.workload();
    jobSeen = manager.job();
  }

  /** Starts the manager's process again: it remembers nothing, and every list is read again. */
  private void restart() {
    memory = Memory.NONE;
    ownOffer = Optional.empty();
    certainAt = "";
    for (WorkerCluster site : sites) {
      site.seen.clear();
      site.answers.clear();
      site.unseen.clear();
      site.isListed = false;
      site.isTried = site.isUp;
    }
    look();
  }

  // the planner

  private void plan(boolean isFair) {
    if (workloadSeen.isEmpty()) {
      sites.forEach(it -> sweep(it, isFair));
      return;
    }
    JsonNode workload = workloadSeen.get();
    List<WorkerState> states = new ArrayList<>();
    sites.stream().filter(it -> it.isConfigured).forEach(it -> states.add(it.state()));
    sites.stream().filter(it -> !it.isConfigured).forEach(it -> states.add(it.state()));
    Owner owner =
        new Owner(
            JOB, Scene.REMOTE, Optional.empty(), false, jobSeen.map(List::of).orElse(List.of()));
    Plan plan =
        planner.plan(
            new Situation(
                workload,
                "mk",
                Optional.of(owner),
                new PlacementConstraint.Unconstrained(),
                states,
                false,
                ownOffer,
                memory,
                now));
    memory = plan.memory();
    history.add(now + " " + plan.state() + " " + inShort(plan));
    certainAt =
        plan.stop() == Stop.CERTAIN ? workload.at("/metadata/resourceVersion").asText() : "";
    plan.asks().forEach(this::ask);
    for (Write write : plan.local()) {
      if (!send(manager.objects, write, isFair)) {
        break;
      }
      if (!plan.nominated().isEmpty()) {
        ownOffer = OwnOffer.nominated(ownOffer, workload);
      }
    }
    for (WorkerCluster site : sites) {
      sendAll(site, plan.remote().getOrDefault(site.name, List.of()), isFair);
    }
  }

  private static String inShort(Plan plan) {
    Map<String, List<String>> writes = new LinkedHashMap<>();
    plan.remote().forEach((name, it) -> writes.put(name, Scene.brief(it)));
    return writes + " here " + Scene.brief(plan.local()) + " asks " + plan.asks().size();
  }

  private void ask(Plan.Ask ask) {
    sites.stream()
        .filter(it -> it.name.equals(ask.cluster()) && it.isUp)
        .forEach(
            it ->
                it.ask(
                    new WorkerCluster.Name(
                        ask.kind().groupKind(), new ObjectKey(ask.namespace(), ask.name()))));
  }

  private void sendAll(WorkerCluster site, List<Write> writes, boolean isFair) {
    for (Write write : writes) {
      if (write instanceof Write.Create && write.target().kind().equals(JOB)) {
        ownOffer = workloadSeen.map(it -> OwnOffer.sending(ownOffer, it, site.name));
        if (!isFair && site.isUp && random.nextInt(8) == 0) {
          late.add(new Late(site, write));
          restart();
          return;
        }
      }
      if (!site.isUp || !send(site.objects, write, isFair)) {
        return;
      }
      WorkerCluster.Name about =
          new WorkerCluster.Name(
              write.target().kind().groupKind(),
              new ObjectKey(write.target().namespace(), write.target().name()));
      site.answers.remove(about);
      if (site.objects.find(about.kind(), "ns", about.key().name()).isPresent()
          && write instanceof Write.Create) {
        site.ask(about); // what a client does with "it exists already", and with its own answer
      }
    }
  }

  /** Whether the next write of the plan is sent. */
  private boolean send(InMemoryObjects objects, Write write, boolean isFair) {
    if (write instanceof Write.Event) {
      return true;
    }
    if (write instanceof Write.Delete && write.target().uid().isEmpty()) {
      throw new BrokenLaw("a deletion without uid: " + write);
    }
    if (!isFair && random.nextInt(8) == 0) {
      return false; // refused, or the process died before it
    }
    Optional<String> refused = objects.send(write, now);
    if (refused.isEmpty()) {
      objects.collectGarbage(now);
    }
    check();
    if (!isFair && random.nextInt(12) == 0) {
      restart(); // stored, and the answer is lost
      return false;
    }
    return refused.isEmpty() || write instanceof Write.Create;
  }

  private void sweep(WorkerCluster site, boolean isFair) {
    if (!site.isUp || !site.isListed) {
      return;
    }
    Optional<JsonNode> copy = site.presence(WORKLOADS, WORKLOAD_KEY).object();
    Presence job = site.presence(JOBS, JOB_KEY);
    List<Leftover.JobLeft> jobs =
        job instanceof Presence.Unlisted
            ? List.of()
            : List.of(new Leftover.JobLeft(JOB, "j", job.object()));
    if (copy.isEmpty() && job.object().isEmpty()) {
      return;
    }
    Leftover.Absence absence =
        manager.workload().isEmpty() ? Leftover.Absence.ASKED : Leftover.Absence.UNKNOWN;
    Sweep.Result result =
        new Sweep(Scene.US)
            .plan(
                site.name,
                false,
                1,
                List.of(new Leftover(WORKLOAD_KEY, copy, jobs, absence)),
                Set.of(),
                now);
    result.asksThere().forEach(this::ask);
    sendAll(site, result.writes(), isFair);
  }

  /** What is under way arrives. */
  private void arrive() {
    late.forEach(it -> it.site().objects.send(it.write(), now));
    late.clear();
  }

  // the laws

  private void check() {
    int running = 0;
    boolean isExcused = false;
    for (WorkerCluster site : sites) {
      if (!site.isRunning()) {
        site.isExcused = false;
      } else {
        running++;
        site.isExcused |= !site.isUp;
        isExcused |= site.isExcused;
      }
      site.requireForeignUntouched();
    }
    if (running > 1 && !isExcused) {
      throw new BrokenLaw("two workers run it and no link is down");
    }
  }

  // the story

  /** Takes that many random steps. */
  void live(int steps) {
    for (int i = 0; i < steps; i++) {
      WorkerCluster site = sites.get(random.nextInt(3));
      now = now.plusSeconds(random.nextInt(20) == 0 ? 40 : random.nextInt(4));
      switch (random.nextInt(40)) {
        case 0 -> manager.preempt(now);
        case 1 -> cut(site);
        case 2, 3 -> restore(site);
        case 4 -> restart();
        case 5 -> new WorkerControllers(site).preempt(now);
        case 6 -> site.isConfigured = random.nextInt(3) > 0;
        case 7 -> site.isTried = true;
        case 39 -> arrive();
        case 8 -> {
          if (random.nextInt(6) == 0) {
            manager.delete(now);
            if (random.nextBoolean()) {
              manager.addJob(now);
            }
          }
        }
        case 9, 10, 11, 12, 13 -> look();
        case 14, 15, 16, 17 -> manager.schedule(certainAt, now);
        case 18, 19, 20, 21, 22, 23 ->
            new WorkerControllers(site).work(random.nextInt(12) == 0, now);
        case 24, 25, 26, 27, 28, 29, 30 -> deliver(site);
        default -> plan(false);
      }
      sites.forEach(it -> it.objects.collectGarbage(now));
      check();
    }
  }

  /** Restores all links, kills nothing more and lets time pass: the Job has to finish. */
  void settle() {
    arrive();
    sites.forEach(this::restore);
    sites.forEach(it -> it.isConfigured = true);
    if (manager.workload().isEmpty()) {
      round(60);
    } else {
      boolean isFinished = false;
      for (int i = 0; i < 60 && !isFinished; i++) {
        round(5);
        isFinished = manager.workload().filter(it -> Conditions.isTrue(it, "Finished")).isPresent();
      }
      if (!isFinished) {
        throw new BrokenLaw("it does not end: " + manager.workload());
      }
      round(60);
    }
    sites.forEach(WorkerCluster::requireEmpty);
  }

  private void round(int times) {
    for (int i = 0; i < times; i++) {
      now = now.plusSeconds(15);
      for (WorkerCluster site : sites) {
        new WorkerControllers(site).work(true, now);
        while (!site.unseen.isEmpty() || !site.isListed) {
          deliver(site);
        }
        site.objects.collectGarbage(now);
      }
      manager.schedule(certainAt, now);
      look();
      plan(true);
      check();
    }
  }

  /** The latest plans, to report with a broken law. */
  String history() {
    return String.join("\n", history.subList(Math.max(0, history.size() - 60), history.size()));
  }
}
