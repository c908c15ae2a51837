package dev.sluice.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.batch.BatchJob;
import dev.sluice.jobs.custom.CustomJobs;
import dev.sluice.jobs.jobset.JobSets;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.Awaited;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Notices;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.pod.PodGroupReconciler;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.pod.SinglePod;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.JobReconciler;
import dev.sluice.jobs.statefulset.StatefulSetReconciler;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says what to do next about a job. What it must remember stands in the objects, so a plan is right
 * after a kill at any moment; only which complaints it has made it keeps, so as not to repeat them.
 * Any thread may ask; one key is planned by one thread at a time.
 */
public final class JobPlanner {
  private static final Duration UNTIL_KNOWN = Duration.ofSeconds(10);
  private static final GroupKind JOB_SET = Framework.JOB_SET.type().groupKind();
  private static final GroupKind JOB = Framework.JOB.type().groupKind();
  private static final GroupKind STATEFUL_SET = Framework.STATEFUL_SET.type().groupKind();

  private final JobSettings settings;
  private final Set<GroupKind> planned;
  private final Notices notices = new Notices();
  private final Awaited awaited = new Awaited();

  /** Plans with these settings. */
  public JobPlanner(JobSettings settings) {
    this.settings = settings;
    this.planned =
        settings.planned().stream()
            .map(GroupVersionKind::groupKind)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** The kinds of jobs that are on, Pods included where they are needed: those to watch. */
  public Set<GroupVersionKind> kinds() {
    return settings.planned();
  }

  /** The group that a Pod names; empty for none. */
  public String groupOf(JsonNode pod) {
    return Pods.group(pod, settings);
  }

  /**
   * The keys to plan when that object was added, changed or removed: a job of {@link #kinds}, a
   * Workload, or what a job waits for.
   *
   * @param kind the kind of the object
   * @param object as it is, or as it was when it was last seen
   */
  public Set<JobKey> touchedBy(JobWorld world, GroupKind kind, JsonNode object) {
    String namespace = object.path("metadata").path("namespace").asText();
    String name = object.path("metadata").path("name").asText();
    Set<JobKey> keys = new LinkedHashSet<>();
    if (kind.equals(WorkloadView.KIND)) {
      touchedByWorkload(world, new WorkloadView(object), namespace, keys);
    } else if (kind.equals(JobKey.POD)) {
      touchedByPod(object, namespace, name, keys);
    } else if (planned.contains(kind)) {
      keys.add(JobKey.of(kind, namespace, name));
    }
    keys.addAll(awaited.waitingFor(new Awaited.Name(kind, namespace, name)));
    return keys;
  }

  private void touchedByWorkload(
      JobWorld world, WorkloadView workload, String namespace, Set<JobKey> keys) {
    if (workload.isGroup() || !world.podsOfGroup(namespace, workload.name()).isEmpty()) {
      keys.add(JobKey.group(namespace, workload.name()));
    }
    for (JsonNode owner : workload.tree().path("metadata").path("ownerReferences")) {
      GroupKind kind =
          GroupVersionKind.of(owner.path("apiVersion").asText(), owner.path("kind").asText())
              .groupKind();
      boolean isMember = kind.equals(JobKey.POD) && workload.isGroup();
      if (planned.contains(kind) && !isMember) {
        keys.add(JobKey.of(kind, namespace, owner.path("name").asText()));
      }
      for (JsonNode child : world.controlledBy(JOB, namespace, owner.path("uid").asText())) {
        keys.add(JobKey.of(JOB, namespace, child.path("metadata").path("name").asText()));
      }
    }
  }

  private void touchedByPod(JsonNode pod, String namespace, String name, Set<JobKey> keys) {
    JobObject meta = JobObject.of(pod);
    String group = groupOf(pod);
    if (Pods.isManaged(pod, settings)) {
      keys.add(
          group.isEmpty()
              ? JobKey.of(JobKey.POD, namespace, name)
              : JobKey.group(namespace, group));
    }
    meta.controller()
        .filter(it -> it.kind().equals(STATEFUL_SET) && planned.contains(STATEFUL_SET))
        .filter(_ -> Pods.hasParent(meta))
        .ifPresent(it -> keys.add(JobKey.of(STATEFUL_SET, namespace, it.name())));
  }

  /** What to do about the job, or the group of Pods, with that key. */
  public Plan plan(JobWorld world, JobKey key, Instant now) {
    if (!planned.contains(key.kind())) {
      return Plan.REST;
    }
    if (key.isGroup()) {
      var writes = new Writes(Pods.REPORTER);
      var group = new PodGroupReconciler(key, world, settings, now, writes);
      group.plan();
      return plan(key, writes, group.again(), now);
    }
    return world
        .find(key.kind(), key.namespace(), key.name())
        .map(it -> planObject(world, key, it, now))
        .orElseGet(() -> planGone(world, key, now));
  }

  private Plan planGone(JobWorld world, JobKey key, Instant now) {
    if (!world.knows(key.kind())) {
      return new Plan(List.of(), Optional.of(now.plus(UNTIL_KNOWN)));
    }
    var writes = new Writes("");
    JobReconciler.end(key.kind(), key.namespace(), key.name(), world, settings, now, writes);
    return plan(key, writes, Optional.empty(), now);
  }

  private Plan planObject(JobWorld world, JobKey key, JsonNode object, Instant now) {
    if (key.kind().equals(STATEFUL_SET)) {
      var writes = new Writes(StatefulSetReconciler.REPORTER);
      var sets = new StatefulSetReconciler(object, world, settings, now, writes);
      sets.plan();
      return plan(key, writes, sets.again(), now);
    }
    if (key.kind().equals(JobKey.POD)) {
      boolean isAJob = Pods.isManaged(object, settings) && groupOf(object).isEmpty();
      return isAJob ? planJob(world, key, new SinglePod(object, now), now) : Plan.REST;
    }
    return planJob(world, key, job(key.kind(), object), now);
  }

  private Job job(GroupKind kind, JsonNode object) {
    if (kind.equals(JOB)) {
      return new BatchJob(object);
    }
    return kind.equals(JOB_SET)
        ? JobSets.job(object)
        : settings.customKinds().stream()
            .filter(it -> it.type().groupKind().equals(kind))
            .map(it -> CustomJobs.job(object, it))
            .findFirst()
            .orElseThrow();
  }

  private Plan planJob(JobWorld world, JobKey key, Job job, Instant now) {
    var writes = new Writes(job.reporter());
    var reconciliation = new JobReconciler(job, world, settings, now, writes);
    reconciliation.plan();
    return plan(key, writes, reconciliation.again(), now);
  }

  private Plan plan(JobKey key, Writes writes, Optional<Instant> again, Instant now) {
    awaited.note(key, writes.awaited());
    List<Write> all = new ArrayList<>();
    writes.notices().stream().filter(notice -> notices.isNews(notice, now)).forEach(all::add);
    all.addAll(writes.all()); // of which one that fails ends the plan
    return new Plan(all, again);
  }
}
