package dev.sluice.jobs.pod;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.JobReconciler;
import dev.sluice.jobs.reconcile.ManagedJobs;
import dev.sluice.jobs.reconcile.WorkloadMaker;
import dev.sluice.jobs.reconcile.WorkloadMatcher;
import dev.sluice.jobs.workload.Evictions;
import dev.sluice.jobs.workload.WorkloadEdit;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Plans a group of Pods: first the steps that only groups have (composing the Workload, missing and
 * excess Pods, several owners), then those of all jobs. One thread, one plan.
 */
public final class PodGroupReconciler {
  /** A group waits for its last Pod, so it is planned soon after it. */
  private static final Duration GATHERING_NEW_PODS = Duration.ofMillis(50);

  private final String namespace;
  private final String group;
  private final PlanContext context;
  private final JobWorld world;
  private final JobSettings settings;
  private final Instant now;
  private final Writes writes;
  private Optional<Instant> again = Optional.empty();

  public PodGroupReconciler(JobKey key, PlanContext context, Writes writes) {
    this.namespace = key.namespace();
    this.group = key.name();
    this.context = context;
    this.world = context.world();
    this.settings = context.settings();
    this.now = context.now();
    this.writes = writes;
  }

  /**
   * For how long changes of Pods are gathered before their group is planned: Pods of a group are
   * made, start and end within a moment.
   *
   * @param joins whether the Pod was not in the group before
   */
  public static Duration gathering(boolean joins) {
    return joins ? GATHERING_NEW_PODS : JobIntegration.GATHERING;
  }

  /** When to look again though nothing changed. */
  public Optional<Instant> again() {
    return again;
  }

  private void lookAgain(Optional<Instant> at) {
    again = Stream.concat(at.stream(), again.stream()).min(Comparator.naturalOrder());
  }

  public void plan() {
    List<JsonNode> pods =
        world.podsOfGroup(namespace, group).stream()
            .filter(it -> Pods.isManaged(it, settings))
            .toList();
    Optional<WorkloadView> workload =
        world.find(WorkloadView.KIND, namespace, group).map(WorkloadView::new);
    if (pods.isEmpty()) {
      workload.filter(WorkloadView::isGroup).ifPresent(this::planWithoutPods);
      return;
    }
    if (!ManagedJobs.areIn(namespace, world, settings)) {
      again = ManagedJobs.askAgain(namespace, world, now);
      letGo(pods, workload);
      return;
    }
    var job = new PodGroup(pods, settings, now);
    if (workload.isPresent()) {
      planWith(job, workload.get());
    } else if (pods.stream().anyMatch(this::asksForQuota)) {
      compose(job);
    } else {
      letGo(pods, workload);
    }
  }

  /**
   * A Workload owned only by Pods is deleted with them; another one stays, and so may its quota.
   */
  private void planWithoutPods(WorkloadView workload) {
    if (workload.meta().isBeingDeleted()) {
      WorkloadFinalizer.release(workload, writes);
    } else if (workload.isEvicted() && workload.hasReservation() && isOfASet(workload)) {
      Evictions.clear(workload, settings, now, writes);
    }
  }

  private static boolean isOfASet(WorkloadView workload) {
    return !LeftBehind.sets(workload).isEmpty();
  }

  private static List<JsonNode> owners(WorkloadView workload) {
    return WorkloadView.items(workload.tree().path("metadata").path("ownerReferences"));
  }

  private boolean asksForQuota(JsonNode pod) {
    JobObject meta = JobObject.of(pod);
    return ManagedJobs.include(meta, settings) || Pods.hasParent(meta);
  }

  /** Removes our finalizer from unmanaged Pods that are being deleted. */
  private void letGo(List<JsonNode> pods, Optional<WorkloadView> workload) {
    pods.stream().filter(Pods::isDeleting).forEach(it -> Pods.release(it, writes));
    if (pods.stream().allMatch(Pods::isDeleting)) {
      workload
          .filter(WorkloadView::isGroup)
          .ifPresent(it -> WorkloadFinalizer.end(it, settings, now, writes));
    }
  }

  private void planWith(PodGroup job, WorkloadView workload) {
    boolean isPrebuilt = !WorkloadMatcher.prebuiltName(job.meta(), settings).isEmpty();
    if (!workload.isGroup() && !isPrebuilt) {
      notice(job, "WorkloadNameConflict", "Workload " + workload.fullName() + " is of another job");
      job.pods().stream().filter(Pods::isTerminal).forEach(it -> Pods.release(it, writes));
      return;
    }
    if (workload.isFinished() || workload.meta().isBeingDeleted()) {
      planOneJob(job, workload);
    } else if (isDeletedByItsUser(job, workload)) {
      WorkloadFinalizer.end(workload, settings, now, writes);
    } else if (!makeFit(job, workload)
        && !LeftBehind.is(workload, world)
        && !adopt(job, workload)) {
      noteMissing(job, workload);
      if (writes.isEmpty() && (isPrebuilt || !handOn(job, workload))) {
        planOneJob(job, workload);
      }
    }
  }

  /**
   * Copies what users changed in the Pods to a Workload that Sluice created; returns whether they
   * did.
   */
  private boolean handOn(PodGroup job, WorkloadView workload) {
    var matcher = new WorkloadMatcher(job, context, writes);
    boolean changes = matcher.handOn(workload);
    lookAgain(matcher.again());
    return changes;
  }

  private void planOneJob(PodGroup job, WorkloadView workload) {
    boolean mustStop =
        !workload.isFinished()
            && !workload.isAdmitted()
            && !workload.isEvicted()
            && !workload.meta().isBeingDeleted()
            && job.finish().isEmpty()
            && !job.released().isEmpty();
    if (mustStop) {
      job.stop(
          new Job.Stop("NotAdmitted", "Not admitted by cluster queue"),
          Optional.of(workload),
          writes);
      return;
    }
    var reconciliation = new JobReconciler(job, context, writes);
    reconciliation.planWith(workload);
    lookAgain(reconciliation.again().or(job::lastEnd));
  }

  /**
   * All Pods are being deleted, but not by us or because of their node: they will not be replaced.
   * The Pods of a group go one after the other, so the Workload may already wait for replacements.
   */
  private static boolean isDeletedByItsUser(PodGroup job, WorkloadView workload) {
    boolean isWaiting =
        Conditions.isTrue(workload.tree(), ConditionTypes.WAITING_FOR_REPLACEMENT_PODS);
    boolean mayBeReplaced =
        workload.isEvicted()
            || (isWaiting && job.pods().stream().anyMatch(Pods::isEndedByTheCluster));
    return !job.isServing()
        && job.pods().stream().allMatch(Pods::isDeleting)
        && (!mayBeReplaced || job.pods().stream().anyMatch(Pods::isGated));
  }

  /**
   * Adds every Pod as an owner, in place of an earlier Pod of its name; returns whether one was
   * missing. A Workload of a set lives as long as the set, so it is written once, when all Pods are
   * there.
   */
  private boolean adopt(PodGroup job, WorkloadView workload) {
    if (isOfASet(workload) && job.present().size() < job.total()) {
      return false;
    }
    List<JsonNode> owners = owners(workload);
    Set<String> known = owners.stream().map(it -> it.path("uid").asText()).collect(toSet());
    List<JsonNode> news =
        job.present().stream()
            .filter(it -> !known.contains(it.path("metadata").path("uid").asText()))
            .toList();
    if (news.isEmpty()) {
      return false;
    }
    Set<String> names =
        news.stream().map(it -> it.path("metadata").path("name").asText()).collect(toSet());
    ObjectNode patch = Patches.object();
    ArrayNode list = patch.putObject("metadata").putArray("ownerReferences");
    owners.stream()
        .filter(it -> !LeftBehind.isPod(it) || !names.contains(it.path("name").asText()))
        .forEach(list::add);
    news.forEach(it -> list.add(WorkloadMaker.owner(Pods.KIND, it)));
    writes.patch(WorkloadView.TYPE, workload.tree(), patch);
    writes.event(
        WorkloadView.TYPE,
        workload.tree(),
        EventReasons.OWNER_REFERENCES_ADDED,
        "Added " + news.size() + " owner reference(s)");
    return true;
  }

  /**
   * Makes the Pods match the sets of the Workload: excess Pods are deleted, replaced failed Pods
   * are released, and if there are unknown Pods, the Workload is deleted.
   *
   * @return whether something was planned
   */
  private boolean makeFit(PodGroup job, WorkloadView workload) {
    Map<String, List<JsonNode>> present = job.byPodSet(job.present(), workload);
    Map<String, List<JsonNode>> absent = job.byPodSet(job.absent(), workload);
    Set<String> strangers = new HashSet<>(present.keySet());
    for (JsonNode podSet : workload.podSets()) {
      String name = podSet.path("name").asText("main");
      int count = podSet.path("count").asInt(1);
      List<JsonNode> here = present.getOrDefault(name, List.of());
      strangers.remove(name);
      ExcessPods.delete(group, here, count, writes);
      int missing = Math.max(0, count - here.size());
      absent.getOrDefault(name, List.of()).stream()
          .filter(Pods::hasFinalizer)
          .sorted(Comparator.comparing(ExcessPods::created))
          .limit(Math.max(0, absent.getOrDefault(name, List.of()).size() - missing))
          .forEach(it -> Pods.release(it, writes));
    }
    if (!strangers.isEmpty() && writes.isEmpty()) {
      replace(job, workload);
      return true;
    }
    return !writes.isEmpty();
  }

  /** The Workload no longer matches these Pods: nothing may run when it is deleted. */
  private void replace(PodGroup job, WorkloadView workload) {
    job.stop(
        new Job.Stop("NoMatchingWorkload", "The Pods of the group are not those of its Workload"),
        Optional.of(workload),
        writes);
    if (!writes.isEmpty() || job.isActive()) {
      again = job.lastEnd();
      return;
    }
    if (!WorkloadMatcher.prebuiltName(job.meta(), settings).isEmpty()) {
      WorkloadFinalizer.finish(
          workload,
          Reasons.OUT_OF_SYNC,
          "The prebuilt workload is out of sync with the Pods of its group",
          now,
          writes);
    } else {
      WorkloadFinalizer.delete(workload, writes);
      writes.event(
          Pods.KIND,
          job.tree(),
          EventReasons.DELETED_WORKLOAD,
          "Deleted not matching Workload: " + workload.fullName());
    }
  }

  /** Reports that Pods are missing, and when they no longer are. */
  private void noteMissing(PodGroup job, WorkloadView workload) {
    String type = ConditionTypes.WAITING_FOR_REPLACEMENT_PODS;
    boolean isMissing = !job.isDone() && isMissing(job, workload);
    Optional<JsonNode> is = Conditions.find(workload.tree(), type);
    String reason =
        !isMissing
            ? ConditionTypes.PODS_READY
            : workload.isEvicted() ? workload.text(ConditionTypes.EVICTED, "reason") : "PodsFailed";
    boolean isSame = is.map(it -> Conditions.isTrue(it) == isMissing).orElse(!isMissing);
    if (!isSame) {
      String message = isMissing ? "Some Failed pods need replacement" : "No pods need replacement";
      WorkloadEdit edit = WorkloadEdit.of(workload, now);
      edit.status().set(type, isMissing, reason, message);
      edit.addTo(writes, "kueue-pod-controller");
    }
  }

  /**
   * Pods of a group that serves may be made only when its first one is ready. A group that does not
   * wait for all of its Pods misses none while one still stands: a set that shrinks or is stopped
   * has no failed Pods.
   */
  private static boolean isMissing(PodGroup job, WorkloadView workload) {
    if (job.isServing() && !job.isFast()) {
      return job.standing().isEmpty();
    }
    List<JsonNode> counted = job.isFast() ? job.standing() : job.present();
    Map<String, List<JsonNode>> present = job.byPodSet(counted, workload);
    for (JsonNode podSet : workload.podSets()) {
      int here = present.getOrDefault(podSet.path("name").asText("main"), List.of()).size();
      if (here < (job.isFast() ? 1 : podSet.path("count").asInt(1))) {
        return true;
      }
    }
    return false;
  }

  private void compose(PodGroup job) {
    if (WorkloadMatcher.prebuiltName(job.meta(), settings).isEmpty()) {
      again = new PodGroupComposer(JobKey.group(namespace, group), context, writes).compose(job);
    } else { // the creator of a prebuilt Workload reports it
      job.pods().stream().filter(Pods::isDeleting).forEach(it -> Pods.release(it, writes));
      if (!job.isServing() && !job.released().isEmpty()) {
        job.stop(new Job.Stop("NoMatchingWorkload", "missing workload"), Optional.empty(), writes);
      }
    }
  }

  private void notice(PodGroup job, String reason, String message) {
    writes.notice(Pods.KIND, job.tree(), "Warning", reason, message);
  }
}
