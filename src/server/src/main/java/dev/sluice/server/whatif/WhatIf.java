package dev.sluice.server.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.workload.PriorityClassKind;
import dev.sluice.api.workload.PriorityClassRef;
import dev.sluice.api.workload.Workload;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.rules.RuleBook;
import dev.sluice.see.explain.Explainer;
import dev.sluice.see.explain.Explanation;
import dev.sluice.see.explain.Obstacle;
import dev.sluice.see.forecast.Course;
import dev.sluice.see.forecast.KnownRuns;
import dev.sluice.see.names.Names;
import dev.sluice.see.whatif.Answer;
import dev.sluice.see.whatif.WhatIfOutcome;
import dev.sluice.see.whatif.WhatIfResult;
import dev.sluice.see.whatif.WhatIfResult.Delay;
import dev.sluice.server.world.SimulatedCluster;
import dev.sluice.server.world.SimulatedConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what would happen, on an engine of its own: the edits are applied, the jobs get their
 * Workloads, and cycles run until nothing changes. Nobody's pods end by themselves. For one thread.
 */
public final class WhatIf {
  private static final GroupVersionKind NAMESPACE = new GroupVersionKind("", "v1", "Namespace");

  /** The kinds that rules and controllers look up, those that others name first. */
  private static final List<GroupVersionKind> KNOWN =
      List.of(
          NAMESPACE,
          new GroupVersionKind("scheduling.k8s.io", "v1", "PriorityClass"),
          new GroupVersionKind("", "v1", "LimitRange"),
          new GroupVersionKind("node.k8s.io", "v1", "RuntimeClass"),
          ApiKind.WORKLOAD_PRIORITY_CLASS.hub(),
          ApiKind.TOPOLOGY.hub(),
          ApiKind.RESOURCE_FLAVOR.hub(),
          ApiKind.ADMISSION_CHECK.hub(),
          ApiKind.COHORT.hub(),
          ApiKind.CLUSTER_QUEUE.hub(),
          ApiKind.LOCAL_QUEUE.hub());

  private final SimulatedCluster cluster;
  private final SimulatedConfiguration chosen;
  private final StoredObjects stored;
  private final Instant now;
  private final Names names;
  private final BooleanSupplier goOn;
  private final QuotaEngine without;
  private final Function<Instant, KnownRuns> runs;
  private final Decisions decisions = new Decisions();
  private final Map<Integer, String> refusals = new LinkedHashMap<>();
  private boolean truncated;

  /**
   * A simulation.
   *
   * @param engine in the state that it begins with; belongs to the simulation from here on
   * @param stored what the engine knows, as it is stored
   * @param rules check the objects
   * @param names whose names the result may have in its sentences
   * @param runs what is known of run times; asked only to play queues forward
   * @param goOn whether there is time left
   */
  public WhatIf(
      QuotaEngine engine,
      StoredObjects stored,
      SimulatedConfiguration chosen,
      RuleBook rules,
      Instant now,
      Names names,
      Function<Instant, KnownRuns> runs,
      BooleanSupplier goOn) {
    this.chosen = chosen;
    this.stored = stored;
    this.now = now;
    this.without = engine.fork();
    this.runs = runs;
    this.names = names;
    this.goOn = goOn;
    this.cluster =
        new SimulatedCluster(
            chosen, now, engine, rules, key -> stored.find(ApiKind.WORKLOAD.groupKind(), key));
    KNOWN.forEach(this::know);
    JobKinds.runtimesOfEnabled(JobSettings.of(chosen.configuration(), chosen.extensions()))
        .forEach(this::know);
  }

  private void know(GroupVersionKind kind) {
    stored.all(kind.groupKind()).forEach(object -> cluster.know(kind, object));
  }

  /**
   * Runs it, once.
   *
   * @throws IllegalArgumentException naming the edit that is refused, and why
   */
  public WhatIfResult run(WhatIfRequest request) {
    Snapshot before = cluster.snapshot();
    before.workloads().forEach(this::knowIfItStops);
    for (int i = 0; i < request.edits().size(); i++) {
      edit(request.edits().get(i), before, "spec.edits[%d]".formatted(i));
    }
    Map<ObjectKey, Integer> workloads = apply(request.objects());
    truncated = !cluster.settle(decisions::note, goOn);
    Snapshot after = cluster.snapshot();
    List<WhatIfOutcome> outcomes = outcomes(request.objects(), workloads, after);
    Forward forward =
        request.forward().isZero()
            ? null
            : forward(request.forward(), PlayedQueues.of(request, before, after, chosen, stored));
    return new WhatIfResult(
        forward == null
            ? outcomes
            : outcomes.stream().map(it -> it.startingAt(start(it, forward))).toList(),
        delayed(before, after, forward, workloads.keySet()),
        UsageChanges.between(before, after),
        forward == null ? null : forward.until(),
        truncated);
  }

  /** The queues played forward with the changes and without them. */
  private Forward forward(Duration time, Predicate<String> queues) {
    List<Course.Played> played =
        Course.play(List.of(without, cluster.fork()), now, runs.apply(now), time, queues, goOn);
    truncated |= !played.getLast().whole();
    return new Forward(played.getFirst(), played.getLast());
  }

  private @Nullable Instant start(WhatIfOutcome outcome, Forward forward) {
    ObjectKey key = outcome.workload();
    return switch (outcome.answer()) {
      case ADMITTED, ADMITTED_AFTER_PREEMPTION -> now;
      case WAITS, NEVER -> key == null ? null : forward.start(key);
      case REFUSED -> null;
    };
  }

  /** Its pods end soon, and then its quota is free. */
  private void knowIfItStops(WorkloadState workload) {
    if (workload.holdsQuota() && workload.evicted()) {
      cluster.know(workload.key());
    }
  }

  private void edit(ObjectNode edit, Snapshot before, String path) {
    ObjectKey key = WhatIfRequest.key(edit);
    String kind = WhatIfRequest.kind(edit).kind();
    affected(kind, key, before).forEach(it -> cluster.know(it.key()));
    try {
      if (WhatIfRequest.isDeletion(edit)) {
        cluster.delete(kind, key.namespace(), key.name());
      } else {
        cluster.apply(edit);
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
    }
  }

  /** The Workloads that the controllers may evict, or give another priority, for the edit. */
  private static List<WorkloadState> affected(String kind, ObjectKey key, Snapshot before) {
    if (kind.equals(ApiKind.CLUSTER_QUEUE.kind())) {
      return before.holders(key.name());
    }
    Predicate<WorkloadState> isAffected =
        kind.equals(ApiKind.LOCAL_QUEUE.kind())
            ? it -> it.holdsQuota() && key.equals(it.localQueue())
            : kind.equals(ApiKind.WORKLOAD_PRIORITY_CLASS.kind())
                ? it -> hasClass(before.workload(it.key()), key.name())
                : _ -> false;
    List<WorkloadState> affected = new ArrayList<>();
    for (WorkloadState workload : before.workloads()) {
      if (isAffected.test(workload)) {
        affected.add(workload);
      }
    }
    return affected;
  }

  private static boolean hasClass(@Nullable Workload workload, String name) {
    PriorityClassRef reference = workload == null ? null : workload.spec().priorityClassRef();
    return reference != null
        && reference.kind() == PriorityClassKind.WORKLOAD_PRIORITY_CLASS
        && reference.name().equals(name);
  }

  /** The Workloads of the objects, each with the number of its object. */
  private Map<ObjectKey, Integer> apply(List<ObjectNode> objects) {
    Map<ObjectKey, Integer> workloads = new LinkedHashMap<>();
    cluster.takeArrived();
    for (int i = 0; i < objects.size(); i++) {
      ObjectNode object = objects.get(i);
      try {
        if (isWorkload(object)) {
          cluster.know(WhatIfRequest.key(object)); // then this is a change of it
          workloads.put(WhatIfRequest.key(object), i);
        }
        cluster.apply(object);
      } catch (IllegalArgumentException e) {
        refusals.put(i, String.valueOf(e.getMessage()));
      }
    }
    cluster.planJobs();
    for (ObjectKey arrived : cluster.takeArrived()) {
      assign(arrived, objects, workloads);
    }
    return workloads;
  }

  private void assign(
      ObjectKey workload, List<ObjectNode> objects, Map<ObjectKey, Integer> workloads) {
    Set<TypedObjectKey> owners = cluster.owners(workload);
    for (int i = 0; i < objects.size(); i++) {
      if (owners.contains(key(objects.get(i)))) {
        workloads.putIfAbsent(workload, i);
      }
    }
  }

  private static TypedObjectKey key(ObjectNode object) {
    return TypedObjectKey.of(WhatIfRequest.kind(object).groupKind(), object);
  }

  private static boolean isWorkload(JsonNode object) {
    return WhatIfRequest.kind(object).groupKind().equals(ApiKind.WORKLOAD.groupKind());
  }

  private List<WhatIfOutcome> outcomes(
      List<ObjectNode> objects, Map<ObjectKey, Integer> workloads, Snapshot after) {
    List<WhatIfOutcome> outcomes = new ArrayList<>();
    Set<TypedObjectKey> owners = new LinkedHashSet<>();
    workloads.keySet().forEach(it -> owners.addAll(cluster.owners(it)));
    for (int i = 0; i < objects.size(); i++) {
      String kind = objects.get(i).path("kind").asText();
      ObjectKey object = WhatIfRequest.key(objects.get(i));
      String refusal = refusals.get(i);
      if (refusal != null) {
        outcomes.add(WhatIfOutcome.refused(kind, object, refusal));
        continue;
      }
      int number = i;
      List<ObjectKey> own =
          workloads.entrySet().stream()
              .filter(it -> it.getValue() == number)
              .map(Map.Entry::getKey)
              .toList();
      own.forEach(key -> outcomes.add(outcome(kind, object, key, after)));
      boolean sharesOne = owners.contains(key(objects.get(i))); // that is told of another object
      if (own.isEmpty() && !sharesOne) {
        outcomes.add(
            WhatIfOutcome.refused(
                kind,
                object,
                "No Workload is made of it: it names no queue, or its kind is not managed here"));
      }
    }
    return outcomes;
  }

  private WhatIfOutcome outcome(String kind, ObjectKey object, ObjectKey key, Snapshot after) {
    WorkloadState state = after.state(key);
    List<ObjectKey> preempts = decisions.preemptedBy(key);
    if (state != null && state.holdsQuota() && !state.evicted()) {
      return new WhatIfOutcome(
          kind,
          object,
          key,
          preempts.isEmpty() ? Answer.ADMITTED : Answer.ADMITTED_AFTER_PREEMPTION,
          "",
          decisions.podSetsOf(key),
          preempts,
          null,
          null);
    }
    Explanation why = explanation(key, after);
    return new WhatIfOutcome(
        kind,
        object,
        key,
        decisions.isHopeless(key) ? Answer.NEVER : Answer.WAITS,
        why == null ? "" : why.because(),
        List.of(),
        preempts,
        null,
        why);
  }

  private @Nullable Explanation explanation(ObjectKey key, Snapshot after) {
    if (!goOn.getAsBoolean()) {
      truncated = true;
      return null;
    }
    return Explainer.explain(cluster.fork(), key, now, names, () -> Obstacle.sentence(after, key));
  }

  private List<Delay> delayed(
      Snapshot before, Snapshot after, @Nullable Forward forward, Set<ObjectKey> own) {
    Set<ObjectKey> stopped = new LinkedHashSet<>(decisions.preempted());
    for (WorkloadState workload : before.workloads()) {
      if (workload.holdsQuota() && !workload.evicted() && !isRunning(workload.key(), after)) {
        stopped.add(workload.key());
      }
    }
    stopped.removeAll(own);
    stopped.removeIf(it -> !isRunning(it, before)); // who waits has nothing to lose
    List<Delay> delayed = new ArrayList<>();
    for (ObjectKey key : stopped) {
      boolean returns = isRunning(key, after);
      delayed.add(
          new Delay(key, null, returns, returns || forward == null ? null : forward.start(key)));
    }
    if (forward != null) {
      Set<ObjectKey> known = new LinkedHashSet<>(stopped);
      known.addAll(own);
      forward.delayed(before, after, known).forEach(delayed::add);
    }
    return delayed;
  }

  static boolean isRunning(ObjectKey key, Snapshot snapshot) {
    WorkloadState state = snapshot.state(key);
    return state != null && state.holdsQuota() && !state.evicted();
  }
}
