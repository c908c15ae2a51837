package dev.sluice.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.JobManagement;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Members;
import dev.sluice.jobs.plan.DependencyIndex;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.KnownMatches;
import dev.sluice.jobs.plan.Notices;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.pod.PodGroupReconciler;
import dev.sluice.jobs.pod.PodNews;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.JobReconciler;
import dev.sluice.jobs.reconcile.ManagedJobs;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadNews;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plans the next writes for a job. All state is in the objects, so a plan is correct after a crash
 * at any moment; the planner itself only keeps the events it has sent, so as not to repeat them,
 * and what it need not compare again. Thread-safe; one key is planned by one thread at a time.
 */
public final class JobPlanner {
  private static final Duration UNTIL_KNOWN = Duration.ofSeconds(10);

  /** The metadata that says which jobs an object belongs to. */
  private static final List<String> LINKS = List.of("labels", "annotations", "ownerReferences");

  private final JobSettings settings;
  private final Map<GroupKind, JobIntegration> planned = new LinkedHashMap<>();
  private final Notices notices = new Notices();
  private final DependencyIndex dependencies = new DependencyIndex();
  private final KnownMatches matches = new KnownMatches();

  /** Plans jobs of all kinds that these settings enable. */
  public JobPlanner(JobSettings settings) {
    this(settings, JobKinds.with(settings.customKinds()));
  }

  /** Plans jobs of those of these kinds that the settings enable. */
  public JobPlanner(JobSettings settings, List<JobIntegration> kinds) {
    this.settings = settings;
    kinds.stream()
        .filter(it -> it.isEnabled(settings) && hasPlan(it.life()))
        .forEach(it -> planned.put(it.kind().groupKind(), it));
  }

  private static boolean hasPlan(JobLife life) {
    return life instanceof JobLife.OneWorkload || life instanceof JobLife.OwnSteps;
  }

  /** The enabled kinds of jobs, including Pods where they are needed. */
  public Set<GroupVersionKind> kinds() {
    return planned.values().stream().map(JobIntegration::kind).collect(toLinkedSet());
  }

  /**
   * All kinds to watch for jobs: {@link #kinds}, what is read to plan those, and kinds of other
   * programs that go to other clusters.
   */
  public Set<GroupVersionKind> watched() {
    Set<GroupVersionKind> watched = new LinkedHashSet<>(kinds());
    planned.values().forEach(it -> watched.addAll(it.reads()));
    watched.addAll(settings.external());
    return watched;
  }

  /**
   * Disabled kinds whose owner references are read: an enabled kind that creates objects of any
   * kind may own them.
   */
  public Set<GroupVersionKind> followed() {
    JobManagement management = settings.management();
    boolean mayStandAbove =
        management.isEnabled(Framework.APP_WRAPPER)
            || !management.externalFrameworks().isEmpty()
            || !settings.customKinds().isEmpty();
    return Stream.of(Framework.values())
        .filter(it -> mayStandAbove && it.makesJobs() && !management.isEnabled(it))
        .map(Framework::type)
        .collect(toLinkedSet());
  }

  /** Whether jobs of an enabled kind may be elastic, so that their Pods are ungated one by one. */
  public boolean letsPodsGo() {
    return settings.isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
        && planned.values().stream().anyMatch(it -> it.admission().canBeElastic());
  }

  private static <T> Collector<T, ?, Set<T>> toLinkedSet() {
    return Collectors.toCollection(LinkedHashSet::new);
  }

  /** The group that a Pod names; empty for none. */
  public String groupOf(JsonNode pod) {
    return Pods.group(pod, settings);
  }

  /**
   * The keys to plan after that change: those that the object touches as it is, and as it was if it
   * belonged to others.
   */
  public Set<JobKey> touchedBy(JobWorld world, GroupKind kind, ObjectChange change) {
    Optional<JsonNode> linkedElsewhere =
        change.before().filter(before -> !hasSameLinks(before, change.latest()));
    Optional<ObjectChange> within =
        linkedElsewhere.isEmpty() ? Optional.of(change) : Optional.empty();
    Set<JobKey> keys = touchedBy(world, kind, change.latest(), within);
    if (isStatusOfAChild(world, kind, change)) {
      keys.remove(keyOf(kind, change.latest()));
    }
    linkedElsewhere.ifPresent(before -> keys.addAll(touchedBy(world, kind, before)));
    return keys;
  }

  private static JobKey keyOf(GroupKind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return JobKey.of(kind, metadata.path("namespace").asText(), metadata.path("name").asText());
  }

  /** A job under another one follows the Workload above it, whatever its own status says. */
  private boolean isStatusOfAChild(JobWorld world, GroupKind kind, ObjectChange change) {
    JobIntegration integration = planned.get(kind);
    return integration != null
        && !kind.equals(JobKey.POD)
        && integration.life() instanceof JobLife.OneWorkload
        && isLedByOwner(world, JobObject.of(change.latest()))
        && isOfStatus(change);
  }

  private boolean isLedByOwner(JobWorld world, JobObject job) {
    String namespace = job.metadata().child("namespace").text().orElse("");
    return !job.isBeingDeleted()
        && ManagedJobs.isLedByOwner(job, namespace, world, settings).orElse(false);
  }

  private static boolean hasSameLinks(JsonNode before, JsonNode after) {
    JsonNode old = before.path("metadata");
    JsonNode now = after.path("metadata");
    for (String link : LINKS) {
      if (!old.path(link).equals(now.path(link))) {
        return false;
      }
    }
    return true;
  }

  /**
   * The keys to plan after that object was added, changed or removed: a job of {@link #kinds}, a
   * Workload, or an object that a job depends on.
   *
   * @param kind the kind of the object
   * @param object as it is, or as it was when it was last seen
   */
  public Set<JobKey> touchedBy(JobWorld world, GroupKind kind, JsonNode object) {
    return touchedBy(world, kind, object, Optional.empty());
  }

  /** Of a change, only the keys whose plans may differ; for none, all that the object touches. */
  private Set<JobKey> touchedBy(
      JobWorld world, GroupKind kind, JsonNode object, Optional<ObjectChange> change) {
    String namespace = object.path("metadata").path("namespace").asText();
    String name = object.path("metadata").path("name").asText();
    Set<JobKey> keys = new LinkedHashSet<>();
    if (kind.equals(WorkloadView.KIND)) {
      boolean concernsChildren = change.map(WorkloadNews::concernsChildren).orElse(true);
      touchedByWorkload(world, new WorkloadView(object), namespace, concernsChildren, keys);
      return withWaiting(keys, kind, namespace, name);
    }
    if (kind.equals(JobKey.POD)) {
      touchedByPod(object, namespace, name, keys);
    } else if (planned.containsKey(kind)) {
      keys.add(JobKey.of(kind, namespace, name));
    }
    planned.forEach(
        (job, integration) ->
            integration
                .touchedBy(kind, object)
                .filter(_ -> change.map(it -> integration.isNews(kind, it)).orElse(true))
                .ifPresent(it -> keys.add(JobKey.of(job, namespace, it))));
    return withWaiting(keys, kind, namespace, name);
  }

  private Set<JobKey> withWaiting(Set<JobKey> keys, GroupKind kind, String namespace, String name) {
    keys.addAll(dependencies.waitingFor(new TypedObjectKey(kind, namespace, name)));
    return keys;
  }

  private void touchedByWorkload(
      JobWorld world,
      WorkloadView workload,
      String namespace,
      boolean concernsChildren,
      Set<JobKey> keys) {
    if (workload.isGroup() || !world.podsOfGroup(namespace, workload.name()).isEmpty()) {
      keys.add(JobKey.group(namespace, workload.name()));
    }
    for (JsonNode owner : workload.tree().path("metadata").path("ownerReferences")) {
      GroupKind kind =
          GroupVersionKind.of(owner.path("apiVersion").asText(), owner.path("kind").asText())
              .groupKind();
      boolean isMember = kind.equals(JobKey.POD) && workload.isGroup();
      if (planned.containsKey(kind) && !isMember) {
        keys.add(JobKey.of(kind, namespace, owner.path("name").asText()));
      }
      if (concernsChildren) {
        touchChildren(world, namespace, owner.path("uid").asText(), keys);
      }
    }
  }

  /** Children of an owner, and their children, start and stop with the owner's Workload. */
  private void touchChildren(JobWorld world, String namespace, String ownerUid, Set<JobKey> keys) {
    for (GroupKind kind : planned.keySet()) {
      if (!kind.equals(JobKey.POD)) {
        for (JsonNode child : world.controlledBy(kind, namespace, ownerUid)) {
          JsonNode metadata = child.path("metadata");
          if (keys.add(JobKey.of(kind, namespace, metadata.path("name").asText()))) {
            touchChildren(world, namespace, metadata.path("uid").asText(), keys);
          }
        }
      }
    }
  }

  private void touchedByPod(JsonNode pod, String namespace, String name, Set<JobKey> keys) {
    String group = groupOf(pod);
    if (Pods.isManaged(pod, settings)) {
      keys.add(
          group.isEmpty()
              ? JobKey.of(JobKey.POD, namespace, name)
              : JobKey.group(namespace, group));
    }
  }

  /** Whether a plan may differ after that change of an object. */
  public boolean isNews(GroupKind kind, ObjectChange change) {
    if (kind.equals(WorkloadView.KIND)) {
      return WorkloadNews.isNews(change);
    }
    return !kind.equals(JobKey.POD) || PodNews.isNews(change);
  }

  /**
   * For how long other changes are gathered before the job with that key is planned.
   *
   * @param kind the kind of the object that touched it
   * @param change how that object changed
   */
  public Duration gathering(GroupKind kind, ObjectChange change, JobKey key) {
    if (kind.equals(WorkloadView.KIND) && !WorkloadNews.isUrgent(change)) {
      return JobIntegration.GATHERING;
    }
    if (key.isGroup() && kind.equals(JobKey.POD)) {
      return PodGroupReconciler.gathering(
          change.before().filter(it -> groupOf(it).equals(key.name())).isEmpty());
    }
    JobIntegration integration = planned.get(key.kind());
    if (integration == null) {
      return Duration.ZERO;
    }
    return kind.equals(key.kind())
        ? gatheringOfItself(integration.life(), change)
        : integration.gathering(kind);
  }

  /** What makes the Pods of a set of their own writes its status again for each of them. */
  private static Duration gatheringOfItself(JobLife life, ObjectChange change) {
    return life instanceof JobLife.OwnSteps && isOfStatus(change)
        ? JobIntegration.GATHERING
        : Duration.ZERO;
  }

  private static boolean isOfStatus(ObjectChange change) {
    return change.before().isPresent()
        && change.after().isPresent()
        && Members.differInStatus(change.before().get(), change.after().get());
  }

  /** The plan for the job, or the group of Pods, with that key. */
  public Plan plan(JobWorld world, JobKey key, Instant now) {
    JobIntegration integration = planned.get(key.kind());
    if (integration == null) {
      return Plan.REST;
    }
    var context = new PlanContext(world, settings, now, matches);
    if (key.isGroup()) {
      var writes = new Writes(Pods.REPORTER);
      var group = new PodGroupReconciler(key, context, writes);
      group.plan();
      return plan(key, writes, group.again(), now);
    }
    return world
        .find(key.kind(), key.namespace(), key.name())
        .map(it -> planObject(integration.life(), key, it, context))
        .orElseGet(() -> planGone(integration.life(), key, context));
  }

  private Plan planGone(JobLife life, JobKey key, PlanContext context) {
    JobWorld world = context.world();
    Instant now = context.now();
    if (!world.knows(key.kind())) {
      return new Plan(List.of(), Optional.of(now.plus(UNTIL_KNOWN)));
    }
    matches.remove(key);
    var writes = new Writes("");
    WorkloadFinalizer.endAllOf(
        key.kind(), key.namespace(), key.name(), world, settings, now, writes);
    if (life instanceof JobLife.OwnSteps own) {
      own.leftovers().plan(key, context, writes);
    }
    return plan(key, writes, Optional.empty(), now);
  }

  private Plan planObject(JobLife life, JobKey key, JsonNode object, PlanContext context) {
    return switch (life) {
      case JobLife.OneWorkload(JobLife.Reader reader) ->
          reader.read(object, context).map(job -> planJob(key, job, context)).orElse(Plan.REST);
      case JobLife.OwnSteps(String reporter, JobLife.Planner planner, JobLife.Leftovers _) -> {
        var writes = new Writes(reporter);
        Optional<Instant> again = planner.plan(object, context, writes);
        yield plan(key, writes, again, context.now());
      }
      case JobLife.ByItsPods _ -> Plan.REST;
    };
  }

  private Plan planJob(JobKey key, Job job, PlanContext context) {
    var writes = new Writes(job.reporter());
    var reconciliation = new JobReconciler(job, context, writes);
    reconciliation.plan();
    return plan(key, writes, reconciliation.again(), context.now());
  }

  private Plan plan(JobKey key, Writes writes, Optional<Instant> again, Instant now) {
    dependencies.note(key, writes.awaited());
    List<Write> all = new ArrayList<>();
    writes.notices().stream().filter(notice -> notices.isNews(notice, now)).forEach(all::add);
    all.addAll(writes.all()); // a failed write ends the plan
    return new Plan(all, again);
  }
}
