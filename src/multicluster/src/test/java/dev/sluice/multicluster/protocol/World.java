package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.InMemoryObjects;
import dev.sluice.api.write.MergePatch;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.multicluster.dispatch.AllAtOnce;
import dev.sluice.multicluster.dispatch.Incremental;
import dev.sluice.multicluster.protocol.Plan.Stop;
import dev.sluice.multicluster.sweep.Leftover;
import dev.sluice.multicluster.sweep.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A manager and three workers that run one Job, with everything that happens around the planner:
 * schedulers and Job controllers on all sides, users, links that are cut, messages that come late,
 * twice or never, writes that are refused or whose answer is lost, and a manager that is killed
 * between any two writes. After each step the laws are checked.
 */
final class World {
  private static final GroupVersionKind JOB = Scene.JOB;
  private static final GroupKind JOBS = JOB.groupKind();
  private static final GroupKind WORKLOADS = WorkloadView.KIND;
  private static final Duration LOST_AFTER = Duration.ofSeconds(60);
  private static final String RESOURCE_IN_USE = "kueue.x-k8s.io/resource-in-use";
  private static final ObjectKey JOB_KEY = new ObjectKey("ns", "j");
  private static final ObjectKey WORKLOAD_KEY = new ObjectKey("ns", "job-j");

  /** A law was broken. */
  static final class Broken extends AssertionError {
    private static final long serialVersionUID = 1;

    Broken(String what) {
      super(what);
    }
  }

  private record Name(GroupKind kind, ObjectKey key) {}

  private record Change(Name name, Optional<JsonNode> after, long number) {}

  /** A worker cluster, and what the manager knows of it. */
  private static final class Site {
    final String name;
    final InMemoryObjects objects;
    final Deque<Change> unseen = new ArrayDeque<>();
    final Map<Name, Change> seen = new HashMap<>();
    final Map<Name, Presence> answers = new HashMap<>();
    final Set<String> foreign = new HashSet<>();
    long changes;
    boolean isUp = true;
    boolean isListed = true;
    boolean isTried = true;
    boolean isConfigured = true;
    boolean isExcused;
    Instant lostSince = Instant.EPOCH;

    Site(String name) {
      this.name = name;
      this.objects = new InMemoryObjects(this::changed);
    }

    private void changed(GroupKind kind, Optional<JsonNode> before, Optional<JsonNode> after) {
      JsonNode object = after.or(() -> before).orElseThrow();
      Name about = new Name(kind, ObjectKey.of(object));
      changes++;
      boolean isOfOrigin =
          object.at("/metadata/labels").path("kueue.x-k8s.io/multikueue-origin").isTextual();
      if (isOfOrigin && isUp) {
        unseen.add(new Change(about, after, changes));
      }
    }

    Optional<JsonNode> job() {
      return objects.find(JOBS, "ns", "j");
    }

    Optional<JsonNode> copy() {
      return objects.find(WORKLOADS, "ns", "job-j");
    }

    boolean isRunning() {
      return job().filter(it -> it.at("/status/active").asInt() > 0).isPresent();
    }

    void see(Change change) {
      Change before = seen.get(change.name());
      if (before == null || before.number() < change.number()) {
        seen.put(change.name(), change);
        answers.remove(change.name());
      }
    }

    void list() {
      unseen.clear();
      answers.clear();
      Set<Name> there = new HashSet<>();
      for (GroupKind kind : List.of(WORKLOADS, JOBS)) {
        for (JsonNode object : objects.all(kind)) {
          if (object.at("/metadata/labels").path("kueue.x-k8s.io/multikueue-origin").isTextual()) {
            Name about = new Name(kind, ObjectKey.of(object));
            there.add(about);
            seen.put(about, new Change(about, Optional.of(object), changes));
          }
        }
      }
      seen.keySet().removeIf(it -> !there.contains(it));
      isListed = true;
    }

    void ask(Name about) {
      Optional<JsonNode> object = objects.find(about.kind(), "ns", about.key().name());
      answers.put(about, object.<Presence>map(Presence.Present::new).orElse(Presence.absent()));
    }

    Presence presence(GroupKind kind, ObjectKey key) {
      Name about = new Name(kind, key);
      Optional<JsonNode> listed = Optional.ofNullable(seen.get(about)).flatMap(Change::after);
      return listed
          .<Presence>map(Presence.Present::new)
          .orElse(answers.getOrDefault(about, Presence.unlisted()));
    }

    Link link() {
      if (isUp) {
        return new Link.Connected(isListed);
      }
      return isTried ? new Link.Lost(lostSince, "cut", Optional.empty()) : new Link.Connecting();
    }

    Seen seen() {
      return new Seen(
          name,
          isConfigured,
          link(),
          Set.of(),
          false,
          presence(WORKLOADS, WORKLOAD_KEY),
          Map.of("j", presence(JOBS, JOB_KEY)),
          Optional.empty());
    }
  }

  private final Random random;
  private final InMemoryObjects manager = new InMemoryObjects(this::changedHere);
  private final List<Site> sites = new ArrayList<>();
  private final List<String> history = new ArrayList<>();
  private final Planner planner;
  private Instant now = Scene.NOW;
  private Optional<JsonNode> workloadSeen = Optional.empty();
  private Optional<JsonNode> jobSeen = Optional.empty();
  private Memory memory = Memory.NONE;
  private String certainAt = "";
  private String cluster = "";
  private int lives;

  World(long seed) {
    random = new Random(seed);
    planner =
        new Planner(
            new ProtocolSettings(
                Scene.US,
                LOST_AFTER,
                random.nextBoolean() ? new AllAtOnce() : new Incremental(1, true),
                true));
    for (String name : List.of("a", "b", "c")) {
      sites.add(new Site(name));
    }
    if (random.nextInt(4) == 0) {
      addForeign(sites.get(random.nextInt(3)));
    }
    addJob();
  }

  private void addForeign(Site site) {
    ObjectNode object =
        Trees.of(
            """
            {'metadata': {'name': 'j', 'namespace': 'ns', 'labels': {'app': 'theirs'}},
             'spec': {'suspend': true}}
            """);
    if (random.nextBoolean()) {
      site.foreign.add(print(site.objects.put(JOB, object, now)));
    } else {
      object.withObjectProperty("metadata").put("name", "job-j");
      if (random.nextBoolean()) {
        object
            .withObjectProperty("metadata")
            .withObjectProperty("labels")
            .put("kueue.x-k8s.io/multikueue-origin", "another");
      }
      site.foreign.add(print(site.objects.put(WorkloadView.TYPE, object, now)));
    }
  }

  private static String print(JsonNode object) {
    return object.at("/metadata/name").asText()
        + " "
        + object.at("/metadata/uid").asText()
        + " "
        + object.at("/metadata/resourceVersion").asText();
  }

  /** A Job and its Workload, as the manager's scheduler makes them. */
  private void addJob() {
    lives++;
    Scene scene = new Scene();
    ObjectNode job = scene.job.deepCopy();
    job.withObjectProperty("metadata").put("uid", "j-uid-" + lives).remove("resourceVersion");
    manager.put(JOB, job, now);
    ObjectNode workload = scene.workload.deepCopy();
    workload.withObjectProperty("metadata").put("uid", "w-uid-" + lives).remove("resourceVersion");
    workload.withObjectProperty("metadata").remove("finalizers");
    ((ObjectNode) workload.at("/metadata/ownerReferences/0")).put("uid", "j-uid-" + lives);
    manager.put(WorkloadView.TYPE, workload, now);
    cluster = "";
  }

  private Optional<JsonNode> workload() {
    return manager.find(WORKLOADS, "ns", "job-j");
  }

  private void changedHere(GroupKind kind, Optional<JsonNode> before, Optional<JsonNode> after) {
    if (!kind.equals(WORKLOADS)) {
      return;
    }
    if (after.isEmpty()) {
      cluster = "";
      return;
    }
    String next = after.get().at("/status/clusterName").asText("");
    if (!cluster.isEmpty() && !next.isEmpty() && !cluster.equals(next)) {
      throw new Broken("clusterName changed from " + cluster + " to " + next);
    }
    cluster = next;
    boolean wasFinished = before.filter(it -> Conditions.isTrue(it, "Finished")).isPresent();
    if (wasFinished && !Conditions.isTrue(after.get(), "Finished")) {
      throw new Broken("it was finished and is not any more");
    }
  }

  // what a cluster does to an object

  private void edit(InMemoryObjects objects, JsonNode object, ObjectNode changed) {
    boolean isJob = object.path("kind").asText().equals("Job");
    GroupVersionKind kind = isJob ? JOB : WorkloadView.TYPE;
    ObjectNode patch = MergePatch.between(object, changed);
    ObjectNode status = patch.objectNode();
    if (patch.has("status")) {
      status.set("status", patch.remove("status"));
    }
    for (String sub : List.of("", "status")) {
      ObjectNode body = sub.isEmpty() ? patch : status;
      if (!body.isEmpty()) {
        JsonNode present =
            objects
                .find(kind.groupKind(), "ns", object.at("/metadata/name").asText())
                .orElse(object);
        objects.send(
            new Write.MergePatch(ObjectRef.of(kind, present), sub, body, "test", null), now);
      }
    }
  }

  private static boolean is(JsonNode object, String condition) {
    return Conditions.isTrue(object, condition);
  }

  // the manager's scheduler

  private void scheduleHere() {
    Optional<JsonNode> present = workload();
    if (present.isEmpty()) {
      return;
    }
    JsonNode workload = present.get();
    ObjectNode changed = workload.deepCopy();
    String check = workload.at("/status/admissionChecks/0/state").asText();
    if (is(workload, "Finished")) {
      return;
    }
    if (is(workload, "Evicted") && is(workload, "QuotaReserved")) {
      if (certainAt.equals(workload.at("/metadata/resourceVersion").asText())) {
        giveBack(changed);
      }
    } else if (!is(workload, "QuotaReserved")) {
      Trees.condition(changed, "QuotaReserved", true, "QuotaReserved");
      Trees.condition(changed, "Evicted", false, "QuotaReserved");
    } else if (check.equals("Retry") || check.equals("Rejected")) {
      evict(changed, "AdmissionCheck");
    } else if (check.equals("Ready") && !is(workload, "Admitted")) {
      Trees.condition(changed, "Admitted", true, "Admitted");
      manager.find(JOBS, "ns", "j").ifPresent(it -> suspend(manager, it, false));
    }
    edit(manager, workload, changed);
  }

  private void giveBack(ObjectNode changed) {
    for (Site site : sites) {
      if (site.isUp && site.isRunning() && !site.isExcused) {
        throw new Broken("quota is given back while " + site.name + " runs it");
      }
    }
    Trees.condition(changed, "QuotaReserved", false, "Pending");
    Trees.condition(changed, "Admitted", false, "NoReservation");
  }

  private void evict(ObjectNode changed, String reason) {
    Trees.condition(changed, "Evicted", true, reason, "evicted for " + reason, now.toString());
    ObjectNode status = changed.withObjectProperty("status");
    status.remove(List.of("clusterName", "nominatedClusterNames"));
    ((ObjectNode) changed.at("/status/admissionChecks/0"))
        .put("state", "Pending")
        .put("message", "");
    var counts = status.withObjectProperty("schedulingStats").withArrayProperty("evictions");
    int count = counts.isEmpty() ? 0 : counts.get(0).path("count").asInt();
    counts.removeAll();
    counts.addObject().put("reason", reason).put("underlyingCause", "").put("count", count + 1);
    manager.find(JOBS, "ns", "j").ifPresent(it -> suspend(manager, it, true));
  }

  private void suspend(InMemoryObjects objects, JsonNode job, boolean value) {
    ObjectNode changed = job.deepCopy();
    changed.withObjectProperty("spec").put("suspend", value);
    edit(objects, job, changed);
  }

  private void evictHere() {
    workload()
        .filter(it -> is(it, "QuotaReserved") && !is(it, "Evicted") && !is(it, "Finished"))
        .ifPresent(
            it -> {
              ObjectNode changed = it.deepCopy();
              evict(changed, "Preempted");
              edit(manager, it, changed);
            });
  }

  private void deleteHere() {
    manager.delete(JOBS, JOB_KEY, now);
    manager.delete(WORKLOADS, WORKLOAD_KEY, now);
  }

  // a worker: its scheduler and its Job controller, one step of either

  private void work(Site site, boolean mayFinish) {
    Optional<JsonNode> there = site.copy().filter(it -> !site.foreign.contains(print(it)));
    Optional<JsonNode> job = site.job().filter(it -> !site.foreign.contains(print(it)));
    if (there.isEmpty()) {
      return; // a job without its Workload is never started
    }
    JsonNode copy = there.get();
    ObjectNode changed = copy.deepCopy();
    boolean isActive = copy.at("/spec/active").asBoolean(true);
    boolean isOwned = !copy.at("/metadata/ownerReferences").isEmpty();
    boolean runs = site.isRunning();
    if (copy.at("/metadata").has("deletionTimestamp")) {
      if (job.isEmpty()) {
        changed.withObjectProperty("metadata").remove("finalizers");
      } else if (runs) {
        stop(site, job.get());
      }
    } else if (is(copy, "Finished")) {
      return;
    } else if (isOwned && job.isEmpty()) {
      Trees.condition(changed, "Finished", true, "OwnerNotFound");
    } else if (is(copy, "DeactivationTarget") && isActive) {
      changed.withObjectProperty("spec").put("active", false);
      Trees.condition(changed, "Evicted", true, "Deactivated");
    } else if (is(copy, "Evicted") && is(copy, "QuotaReserved")) {
      if (runs) {
        stop(site, job.orElseThrow());
      } else {
        Trees.condition(changed, "QuotaReserved", false, "Pending");
        Trees.condition(changed, "Admitted", false, "NoReservation");
      }
    } else if (!is(copy, "QuotaReserved")) {
      if (isActive) {
        Trees.condition(changed, "QuotaReserved", true, "QuotaReserved");
        Trees.condition(changed, "Admitted", true, "Admitted");
        Trees.condition(changed, "Evicted", false, "QuotaReserved");
      }
    } else if (job.isPresent() && !isOwned) {
      adopt(changed, job.get());
    } else if (job.isPresent() && !runs) {
      start(site, job.get());
    } else if (runs && mayFinish) {
      finish(site, job.orElseThrow());
      Trees.condition(changed, "Finished", true, "Succeeded");
    }
    edit(site.objects, copy, changed);
  }

  private static void adopt(ObjectNode copy, JsonNode job) {
    ObjectNode metadata = copy.withObjectProperty("metadata");
    metadata.putArray("finalizers").add(RESOURCE_IN_USE);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "batch/v1")
        .put("kind", "Job")
        .put("name", "j")
        .put("uid", job.at("/metadata/uid").asText())
        .put("controller", true);
  }

  private void start(Site site, JsonNode job) {
    ObjectNode changed = job.deepCopy();
    changed.withObjectProperty("spec").put("suspend", false);
    changed.withObjectProperty("status").put("active", 3).put("startTime", now.toString());
    edit(site.objects, job, changed);
  }

  private void stop(Site site, JsonNode job) {
    ObjectNode changed = job.deepCopy();
    changed.withObjectProperty("spec").put("suspend", true);
    changed.withObjectProperty("status").put("active", 0).remove("startTime");
    edit(site.objects, job, changed);
  }

  private void finish(Site site, JsonNode job) {
    ObjectNode changed = job.deepCopy();
    changed.withObjectProperty("status").put("active", 0);
    Trees.condition(changed, "Complete", true, "Done");
    edit(site.objects, job, changed);
  }

  private void preemptThere(Site site) {
    site.copy()
        .filter(it -> !site.foreign.contains(print(it)))
        .filter(it -> is(it, "Admitted") && !is(it, "Evicted") && !is(it, "Finished"))
        .ifPresent(
            it -> {
              ObjectNode changed = it.deepCopy();
              Trees.condition(changed, "Evicted", true, "Preempted");
              edit(site.objects, it, changed);
            });
  }

  // links and messages

  private void cut(Site site) {
    if (site.isUp) {
      site.isUp = false;
      site.lostSince = now;
      site.unseen.clear(); // what was under way is lost
    }
  }

  private void mend(Site site) {
    if (!site.isUp) {
      site.isUp = true;
      site.isTried = true;
      site.isListed = false;
    }
  }

  private void deliver(Site site) {
    if (!site.isUp) {
      return;
    }
    if (!site.isListed) {
      site.list();
    } else if (!site.unseen.isEmpty()) {
      Change change = site.unseen.removeFirst();
      site.see(change);
      if (random.nextInt(4) == 0) {
        site.see(change); // doubled
      }
    }
  }

  private void look() {
    workloadSeen = workload();
    jobSeen = manager.find(JOBS, "ns", "j");
  }

  /** A new process: nothing is remembered, and every list begins anew. */
  private void restart() {
    memory = Memory.NONE;
    certainAt = "";
    for (Site site : sites) {
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
    List<Seen> seen = new ArrayList<>();
    sites.stream().filter(it -> it.isConfigured).forEach(it -> seen.add(it.seen()));
    sites.stream().filter(it -> !it.isConfigured).forEach(it -> seen.add(it.seen()));
    Owner owner =
        new Owner(
            JOB,
            Scene.INTEGRATION.remote(),
            Optional.empty(),
            false,
            jobSeen.map(List::of).orElse(List.of()));
    Plan plan =
        planner.plan(
            new Situation(
                workloadSeen.get(),
                "mk",
                Optional.of(owner),
                new Company.Alone(),
                seen,
                false,
                memory,
                now));
    memory = plan.memory();
    history.add(now + " " + plan.state() + " " + inShort(plan));
    certainAt =
        plan.stop() == Stop.CERTAIN
            ? workloadSeen.get().at("/metadata/resourceVersion").asText()
            : "";
    plan.asks().forEach(this::ask);
    for (Write write : plan.local()) {
      if (!send(manager, write, isFair)) {
        break;
      }
    }
    for (Site site : sites) {
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
                    new Name(ask.kind().groupKind(), new ObjectKey(ask.namespace(), ask.name()))));
  }

  private void sendAll(Site site, List<Write> writes, boolean isFair) {
    for (Write write : writes) {
      if (!site.isUp || !send(site.objects, write, isFair)) {
        return;
      }
      Name about =
          new Name(
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
      throw new Broken("a deletion without uid: " + write);
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

  private void sweep(Site site, boolean isFair) {
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
        workload().isEmpty() ? Leftover.Absence.ASKED : Leftover.Absence.UNKNOWN;
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

  // the laws

  private void check() {
    int running = 0;
    boolean isExcused = false;
    for (Site site : sites) {
      if (!site.isRunning()) {
        site.isExcused = false;
      } else {
        running++;
        site.isExcused |= !site.isUp;
        isExcused |= site.isExcused;
      }
      for (GroupKind kind : List.of(JOBS, WORKLOADS)) {
        site.objects.all(kind).stream()
            .map(World::print)
            .filter(it -> isOfForeignName(site, it))
            .forEach(
                it -> {
                  if (!site.foreign.contains(it)) {
                    throw new Broken("somebody else's object changed on " + site.name);
                  }
                });
      }
      int left = site.objects.all(JOBS).size() + site.objects.all(WORKLOADS).size();
      if (left < site.foreign.size()) {
        throw new Broken("somebody else's object was deleted on " + site.name);
      }
    }
    if (running > 1 && !isExcused) {
      throw new Broken("two workers run it and no link is down");
    }
  }

  private static boolean isOfForeignName(Site site, String print) {
    String start = print.substring(0, print.lastIndexOf(' '));
    return site.foreign.stream().anyMatch(it -> it.startsWith(start + " "));
  }

  // the story

  /** So many random steps. */
  void live(int steps) {
    for (int i = 0; i < steps; i++) {
      Site site = sites.get(random.nextInt(3));
      now = now.plusSeconds(random.nextInt(20) == 0 ? 40 : random.nextInt(4));
      switch (random.nextInt(40)) {
        case 0 -> evictHere();
        case 1 -> cut(site);
        case 2, 3 -> mend(site);
        case 4 -> restart();
        case 5 -> preemptThere(site);
        case 6 -> site.isConfigured = random.nextInt(3) > 0;
        case 7 -> site.isTried = true;
        case 8 -> {
          if (random.nextInt(6) == 0) {
            deleteHere();
            if (random.nextBoolean()) {
              addJob();
            }
          }
        }
        case 9, 10, 11, 12, 13 -> look();
        case 14, 15, 16, 17 -> scheduleHere();
        case 18, 19, 20, 21, 22, 23 -> work(site, random.nextInt(12) == 0);
        case 24, 25, 26, 27, 28, 29, 30 -> deliver(site);
        default -> plan(false);
      }
      sites.forEach(it -> it.objects.collectGarbage(now));
      check();
    }
  }

  /** All links are mended, nobody is killed, and time goes on: it has to end. */
  void settle() {
    sites.forEach(this::mend);
    sites.forEach(it -> it.isConfigured = true);
    if (workload().isEmpty()) {
      round(60);
    } else {
      boolean isFinished = false;
      for (int i = 0; i < 60 && !isFinished; i++) {
        round(5);
        isFinished = workload().filter(it -> is(it, "Finished")).isPresent();
      }
      if (!isFinished) {
        throw new Broken("it does not end: " + workload());
      }
      round(60);
    }
    for (Site site : sites) {
      int left = site.objects.all(JOBS).size() + site.objects.all(WORKLOADS).size();
      if (left != site.foreign.size()) {
        throw new Broken(
            "something of ours is left on " + site.name + ": " + site.copy() + site.job());
      }
    }
  }

  private void round(int times) {
    for (int i = 0; i < times; i++) {
      now = now.plusSeconds(15);
      for (Site site : sites) {
        work(site, true);
        while (!site.unseen.isEmpty() || !site.isListed) {
          deliver(site);
        }
        site.objects.collectGarbage(now);
      }
      scheduleHere();
      look();
      plan(true);
      check();
    }
  }

  /** What was planned, for whom a law is broken. */
  String history() {
    return String.join("\n", history.subList(Math.max(0, history.size() - 60), history.size()));
  }
}
