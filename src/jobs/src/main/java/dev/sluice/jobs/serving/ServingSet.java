package dev.sluice.jobs.serving;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.WorkloadName;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.pod.PodGroup;
import dev.sluice.jobs.reconcile.FollowedMetadata;
import dev.sluice.jobs.reconcile.ManagedJobs;
import dev.sluice.jobs.reconcile.WorkloadMaker;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.Priority;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An object whose Pods wait in groups that serve: it creates and updates the Workload of each
 * group; the groups are then planned as any others. For one thread and one plan.
 */
public final class ServingSet {
  private static final Duration LATER = Duration.ofSeconds(10);

  private final GroupVersionKind kind;
  private final String parent;
  private final JsonNode tree;
  private final JobWorld world;
  private final JobSettings settings;
  private final Instant now;
  private final Writes writes;
  private Optional<Instant> again = Optional.empty();

  /**
   * The object as it was seen.
   *
   * @param parent the framework of the kind, as its Pods name it
   */
  public ServingSet(
      GroupVersionKind kind, String parent, JsonNode tree, PlanContext context, Writes writes) {
    this.kind = kind;
    this.parent = parent;
    this.tree = tree;
    this.world = context.world();
    this.settings = context.settings();
    this.now = context.now();
    this.writes = writes;
  }

  /** When to plan again though nothing changed. */
  public Optional<Instant> again() {
    return again;
  }

  public JobObject meta() {
    return JobObject.of(tree);
  }

  public String name() {
    return tree.path("metadata").path("name").asText();
  }

  public String namespace() {
    return tree.path("metadata").path("namespace").asText();
  }

  /** Its Pods. */
  public ServingPods pods() {
    return new ServingPods(parent, meta(), settings, writes);
  }

  /**
   * Whether it is not being deleted, is managed, and has no managed owner.
   *
   * @param template one of its Pod templates, which shows if another kind queues the Pods
   */
  public boolean isQueued(JsonNode template) {
    String queuedBy = JobObject.of(template).annotationText(Annotations.POD_SUSPENDING_PARENT);
    return !meta().isBeingDeleted()
        && ManagedJobs.include(meta(), settings)
        && isInManagedNamespace()
        && (queuedBy.isEmpty() || queuedBy.equals(parent))
        && answersForItself();
  }

  private boolean isInManagedNamespace() {
    boolean isManaged = ManagedJobs.areIn(namespace(), world, settings);
    if (!isManaged) {
      again = ManagedJobs.askAgain(namespace(), world, now);
    }
    return isManaged;
  }

  private boolean answersForItself() {
    Optional<Boolean> isLed = ManagedJobs.isLedByOwner(meta(), namespace(), world, settings);
    if (isLed.isEmpty()) {
      again = Optional.of(now.plus(LATER));
    }
    return isLed.filter(it -> !it).isPresent();
  }

  /**
   * Whether Pods of the Workload's group may run. The quota goes with the Workload, so it stays as
   * long as that. Looked at again when the last of them counts as ended.
   */
  public boolean runs(WorkloadView workload) {
    List<JsonNode> pods = world.podsOfGroup(namespace(), workload.name());
    if (pods.isEmpty()) {
      return false;
    }
    PodGroup group = new PodGroup(pods, settings, now);
    if (group.isActive()) {
      group.lastEnd().ifPresent(this::lookAgain);
    }
    return group.isActive();
  }

  private void lookAgain(Instant at) {
    again = again.filter(it -> it.isBefore(at)).or(() -> Optional.of(at));
  }

  /** Lets a Workload go that is being deleted, once none of its Pods runs. */
  public void release(WorkloadView workload) {
    if (!runs(workload)) {
      WorkloadFinalizer.release(workload, writes);
    }
  }

  /**
   * The names of a Workload, the likelier first.
   *
   * @param component the name of what the Workload is for: the object, or one of its parts
   */
  public List<String> names(String component) {
    boolean shortNames = settings.isOn(FeatureGate.SHORT_WORKLOAD_NAMES);
    return WorkloadName.of(kind.kind(), kind.group(), component, meta(), shortNames);
  }

  /** The Workload with one of these names. */
  public Optional<WorkloadView> find(List<String> names) {
    return names.stream()
        .flatMap(it -> world.find(WorkloadView.KIND, namespace(), it).stream())
        .map(WorkloadView::new)
        .findFirst();
  }

  /** The Workloads that name it as owner. */
  public List<WorkloadView> owned() {
    return world.workloadsOwnedBy(kind.groupKind(), namespace(), name()).stream()
        .map(WorkloadView::new)
        .filter(this::isOwner)
        .toList();
  }

  private boolean isOwner(WorkloadView workload) {
    return WorkloadView.items(workload.tree().path("metadata").path("ownerReferences")).stream()
        .anyMatch(it -> it.path("uid").asText().equals(meta().uid()));
  }

  /**
   * Creates a Workload, unless another cluster does.
   *
   * @param annotations distinguish it from the other Workloads of the object
   */
  public void create(String name, List<PodSetShape> podSets, Map<String, String> annotations) {
    if (meta().label(Labels.MULTI_KUEUE_ORIGIN).isPresent()) {
      return;
    }
    Priority.Found priority = Priority.of(meta(), podSets, world);
    if (priority.priority().isEmpty()) {
      again = Optional.of(now.plus(LATER));
      priority.tellMissing(kind, tree, writes);
      return;
    }
    var maker = new WorkloadMaker(settings);
    ObjectNode spec = maker.spec(meta(), podSets, priority.priority().get());
    spec.remove("maximumExecutionTimeSeconds"); // a serving job has no end
    ObjectNode workload = maker.bare(namespace(), name, spec);
    maker.describe(workload, meta());
    WorkloadMaker.label(workload, meta().uid());
    own(workload, annotations);
    writes.create(WorkloadView.TYPE, workload);
    writes.event(
        kind, tree, EventReasons.CREATED_WORKLOAD, "Created Workload: " + namespace() + "/" + name);
  }

  /** Sets the owner, if it is missing. */
  private void own(ObjectNode workload, Map<String, String> more) {
    ObjectNode metadata = Patches.child(workload, "metadata");
    ObjectNode annotations = Patches.child(metadata, "annotations");
    annotations
        .put(Annotations.IS_GROUP_WORKLOAD, "true")
        .put(Annotations.JOB_OWNER_GVK, "%s, Kind=%s".formatted(kind.apiVersion(), kind.kind()))
        .put(Annotations.JOB_OWNER_NAME, name());
    more.forEach(annotations::put);
    if (!isOwner(new WorkloadView(workload))) {
      Patches.list(metadata, "ownerReferences").add(WorkloadMaker.owner(kind, tree));
    }
  }

  /**
   * Makes a Workload follow its owner, queue, gates, and, while it has no quota, its numbers of
   * Pods.
   *
   * @param podSets the new Pod sets; empty if the numbers stay
   * @return whether something was planned
   */
  public boolean follow(
      WorkloadView workload, List<PodSetShape> podSets, Map<String, String> annotations) {
    boolean isFixed = workload.hasReservation();
    ObjectNode wanted = isFixed ? Patches.editable(workload.tree()) : workload.tree().deepCopy();
    own(wanted, annotations);
    FollowedMetadata.follow(meta(), wanted, settings);
    FollowedMetadata.openGates(meta(), wanted, settings);
    if (!isFixed) {
      ObjectNode spec = Patches.child(wanted, "spec");
      if (!meta().queueName().isEmpty()) {
        spec.put("queueName", meta().queueName());
      }
      for (int i = 0; i < podSets.size(); i++) {
        if (spec.path("podSets").path(i) instanceof ObjectNode podSet) {
          podSet.put("count", podSets.get(i).count());
        }
      }
    }
    ObjectNode patch = Patches.between(workload.tree(), wanted);
    writes.patch(WorkloadView.TYPE, workload.tree(), patch);
    return !patch.isEmpty();
  }
}
