package dev.sluice.jobs.pod;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Texts;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.JobTraits;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Pods that name one group, as one job. For one plan. */
public final class PodGroup implements Job {
  private static final long DEFAULT_GRACE_SECONDS = 30;

  private final List<JsonNode> pods;
  private final JobSettings settings;
  private final Instant now;
  private final List<JsonNode> present;

  /**
   * A group.
   *
   * @param pods all there are, at least one, in the order of their names
   */
  public PodGroup(List<JsonNode> pods, JobSettings settings, Instant now) {
    this.pods = List.copyOf(pods);
    this.settings = settings;
    this.now = now;
    this.present = this.pods.stream().filter(PodGroup::isPresent).toList();
    if (pods.isEmpty()) {
      throw new IllegalArgumentException("pods: [] (expected: at least one)");
    }
  }

  /** All there are. */
  List<JsonNode> pods() {
    return pods;
  }

  @Override
  public GroupVersionKind kind() {
    return Pods.KIND;
  }

  @Override
  public String reporter() {
    return Pods.REPORTER;
  }

  @Override
  public JobTraits traits() {
    return JobTraits.RUNS_WHERE_IT_STARTS;
  }

  /** The Pod that represents the group: the first that is not going away. */
  @Override
  public JsonNode tree() {
    return present.isEmpty() ? pods.getFirst() : present.getFirst();
  }

  /** The number of Pods of the complete group. */
  int total() {
    return total(tree());
  }

  public static int total(JsonNode pod) {
    String text = JobObject.of(pod).annotationText(Annotations.POD_GROUP_TOTAL_COUNT);
    return Math.clamp(Texts.integer(text).orElse(1), 1, Integer.MAX_VALUE);
  }

  boolean isServing() {
    return meta().annotationText(Annotations.POD_GROUP_SERVING).equals("true");
  }

  /** Whether it is queued before all its Pods exist. */
  boolean isFast() {
    return meta().annotationText(Annotations.POD_GROUP_FAST_ADMISSION).equals("true");
  }

  /** The Pods that have a place in the group: they wait, run or have succeeded. */
  List<JsonNode> present() {
    return present;
  }

  private static boolean isPresent(JsonNode pod) {
    return Pods.phase(pod).equals("Succeeded")
        || (!Pods.phase(pod).equals("Failed") && !Pods.isDeleting(pod));
  }

  /** Those present, and those that still run on a node while they are being deleted. */
  List<JsonNode> standing() {
    return pods.stream()
        .filter(it -> isPresent(it) || (Pods.isScheduled(it) && !Pods.isTerminal(it)))
        .toList();
  }

  /** The Pods to replace: they failed or are being deleted. */
  List<JsonNode> absent() {
    return pods.stream().filter(it -> !isPresent(it)).toList();
  }

  /**
   * The Pod set of a Pod: the one that it names. Users may have removed that; then it is the one
   * that it was started as, and before it starts, that of its shape.
   */
  static String role(JsonNode pod) {
    JobObject meta = JobObject.of(pod);
    String named = meta.annotationText(Annotations.ROLE_HASH);
    if (!named.isEmpty()) {
      return named;
    }
    String started = Pods.isGated(pod) ? "" : meta.labelText(Labels.POD_SET);
    return started.isEmpty() ? PodShape.hash(pod.path("spec")) : started;
  }

  /** These Pods by their Pod set; all are in the only one there is if the group is fast. */
  Map<String, List<JsonNode>> byPodSet(List<JsonNode> pods, WorkloadView workload) {
    List<JsonNode> podSets = workload.podSets();
    Map<String, List<JsonNode>> sets = new TreeMap<>();
    for (JsonNode pod : pods) {
      boolean isOne = isFast() && podSets.size() == 1;
      String name = isOne ? podSets.getFirst().path("name").asText("main") : role(pod);
      sets.computeIfAbsent(name, _ -> new ArrayList<>()).add(pod);
    }
    return sets;
  }

  @Override
  public boolean movesItsWorkload() {
    return !isServing();
  }

  @Override
  public boolean isSuspended() {
    return present.stream().anyMatch(Pods::isGated);
  }

  /** The ungated Pods that stay. */
  List<JsonNode> released() {
    return present.stream().filter(it -> !Pods.isGated(it) && !Pods.isTerminal(it)).toList();
  }

  @Override
  public boolean isActive() {
    return pods.stream().anyMatch(this::runs);
  }

  private boolean runs(JsonNode pod) {
    return Pods.phase(pod).equals("Running") && end(pod).filter(it -> !now.isBefore(it)).isEmpty();
  }

  /** When a Pod that is being deleted counts as ended, whatever its status. */
  private Optional<Instant> end(JsonNode pod) {
    if (!Pods.isDeleting(pod)) {
      return Optional.empty();
    }
    Instant deletion = Instant.parse(pod.path("metadata").path("deletionTimestamp").asText());
    long grace =
        settings.isOn(FeatureGate.FAST_QUOTA_RELEASE_IN_POD_INTEGRATION)
            ? Long.MIN_VALUE
            : pod.path("metadata").path("deletionGracePeriodSeconds").asLong(DEFAULT_GRACE_SECONDS);
    return Optional.of(grace == Long.MIN_VALUE ? Instant.MIN : deletion.plusSeconds(grace));
  }

  /** When the last Pod that is being deleted counts as ended. */
  public Optional<Instant> lastEnd() {
    return pods.stream().filter(this::runs).flatMap(it -> end(it).stream()).max(Instant::compareTo);
  }

  @Override
  public boolean isReady(WorkloadView workload) {
    return present.size() >= total()
        && present.stream()
            .allMatch(it -> Pods.phase(it).equals("Succeeded") || Conditions.isTrue(it, "Ready"));
  }

  @Override
  public Optional<Finish> finish() {
    if (isServing()) {
      return Optional.empty();
    }
    boolean isOver = isDone() || (isUnretriable() && !isActive());
    return isOver
        ? Optional.of(
            new Finish(true, "Pods succeeded: %d/%d.".formatted(succeeded(pods), total())))
        : Optional.empty();
  }

  /** Whether all of its work is done, so that no Pod of it has to be replaced. */
  boolean isDone() {
    return !isServing() && succeeded(pods) >= total();
  }

  private static long succeeded(List<JsonNode> pods) {
    return pods.stream().filter(it -> Pods.phase(it).equals("Succeeded")).count();
  }

  /** Whether any Pod is marked as not retriable, so that the group ends when nothing runs. */
  private boolean isUnretriable() {
    return pods.stream()
            .anyMatch(
                it ->
                    JobObject.of(it).annotationText(Annotations.RETRIABLE_IN_GROUP).equals("false"))
        && pods.stream().allMatch(it -> Pods.isTerminal(it) || Pods.isDeleting(it));
  }

  /** One set per role, in the order of their names; a fast group is as its first Pod. */
  @Override
  public List<PodSetShape> podSets() {
    if (isFast() && !present.isEmpty()) {
      return List.of(shape(present.getFirst(), total()));
    }
    Map<String, List<JsonNode>> roles = new TreeMap<>();
    present.forEach(it -> roles.computeIfAbsent(role(it), _ -> new ArrayList<>()).add(it));
    return roles.values().stream().map(it -> shape(it.getFirst(), it.size())).toList();
  }

  private static PodSetShape shape(JsonNode pod, int count) {
    return new PodSetShape(
        role(pod), Pods.template(pod), count, OptionalInt.empty(), Pods.topology(pod));
  }

  @Override
  public Map<String, Integer> reclaimable() {
    if (isServing()) {
      return Map.of();
    }
    Map<String, Integer> succeeded = new LinkedHashMap<>();
    for (JsonNode pod : pods) {
      if (Pods.phase(pod).equals("Succeeded")) {
        succeeded.merge(role(pod), 1, Integer::sum);
      }
    }
    return succeeded;
  }

  /** Ungates waiting Pods, of each set as many as were admitted. */
  @Override
  public Optional<String> start(List<Injection> injections, String message, Writes writes) {
    for (Injection injection : injections) {
      List<JsonNode> members =
          pods.stream()
              .filter(it -> injections.size() == 1 || role(it).equals(injection.podSet()))
              .toList();
      long done = Math.max(0, succeeded(members) - injection.done());
      long room = injection.count() - done - members.stream().filter(this::takesRoom).count();
      for (JsonNode pod : members) {
        if (isPresent(pod) && Pods.isGated(pod) && room > 0) {
          room--;
          Optional<String> problem = Pods.start(pod, injection, message, writes);
          if (problem.isPresent()) {
            return problem;
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean takesRoom(JsonNode pod) {
    return !Pods.phase(pod).equals("Succeeded")
        && (runs(pod) || (isPresent(pod) && !Pods.isGated(pod)));
  }

  @Override
  public void stop(Stop why, Optional<WorkloadView> original, Writes writes) {
    for (JsonNode pod : pods) {
      if (why.isForGood() && (Pods.isTerminal(pod) || Pods.isDeleting(pod))) {
        Pods.release(pod, writes);
        if (!Pods.isDeleting(pod)) {
          writes.delete(Pods.KIND, pod);
        }
      } else {
        Pods.stop(pod, why, now, writes);
      }
    }
  }

  /** Serving Pods would be created again by their controller. */
  @Override
  public boolean delete(Writes writes) {
    List<JsonNode> left =
        isServing() ? List.of() : pods.stream().filter(it -> !Pods.isDeleting(it)).toList();
    left.forEach(it -> writes.delete(Pods.KIND, it));
    return !left.isEmpty();
  }

  @Override
  public void release(Writes writes) {
    pods.forEach(it -> Pods.release(it, writes));
  }
}
