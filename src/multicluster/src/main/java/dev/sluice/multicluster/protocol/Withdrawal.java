package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.Messages;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Takes a Workload and its jobs from a worker: what may be running is stopped first, then the job
 * goes, and when it is gone, the Workload. All deletions on workers are planned here. The caller
 * has proved that each object is ours.
 */
public final class Withdrawal {
  /** How long a worker has to react before a job is deleted that it did not stop. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  /**
   * What is to go.
   *
   * @param cluster where
   * @param workload the Workload there, if it is there and ours
   * @param jobKind the kind of its jobs; empty if it has none
   * @param isCarried whether its Pods are of a job that is another Workload's
   * @param jobs what is known of its jobs; those that are there are ours
   * @param mayRun whether Pods of such a job may run
   */
  public record Target(
      String cluster,
      Optional<JsonNode> workload,
      Optional<GroupVersionKind> jobKind,
      boolean isCarried,
      String namespace,
      Map<String, Presence> jobs,
      Predicate<JsonNode> mayRun) {
    public Target {
      requireNonNull(cluster, "cluster");
      requireNonNull(workload, "workload");
      requireNonNull(jobKind, "jobKind");
      requireNonNull(namespace, "namespace");
      jobs = new TreeMap<>(jobs);
      requireNonNull(mayRun, "mayRun");
    }

    /** Whether anything of it is known to be there. */
    public boolean isThere() {
      return workload.isPresent()
          || jobs.values().stream().anyMatch(Presence.Present.class::isInstance);
    }

    /** The jobs that no list has and that were not read from the API server. */
    public Set<Plan.Ask> unasked() {
      Set<Plan.Ask> unasked = new HashSet<>();
      jobs.forEach(
          (name, presence) -> {
            if (presence instanceof Presence.Unlisted) {
              jobKind.ifPresent(it -> unasked.add(new Plan.Ask(cluster, it, namespace, name)));
            }
          });
      return unasked;
    }

    /** Whether its Pods run, or may begin to. */
    public boolean mayRunNow() {
      boolean isLetGo = workload.filter(Withdrawal::isLetGo).isPresent();
      return (isCarried && isLetGo)
          || jobs.values().stream()
              .flatMap(it -> it.object().stream())
              .anyMatch(it -> isLetGo || mayRun.test(it));
    }
  }

  /** The progress of a withdrawal. */
  public enum Progress {
    /** Nothing is there. */
    GONE,
    /** Nothing runs, and something is still there. */
    ENDING,
    /** Pods may run. */
    RUNNING
  }

  /**
   * The next steps.
   *
   * @param asks names that must be asked for first
   * @param again when to look again though nothing changed
   */
  public record Steps(
      Progress progress, List<Write> writes, Set<Plan.Ask> asks, Optional<Instant> again) {
    public Steps {
      writes = List.copyOf(writes);
      asks = Set.copyOf(asks);
    }

    static Steps of(Progress progress) {
      return new Steps(progress, List.of(), Set.of(), Optional.empty());
    }
  }

  private Withdrawal() {}

  /** Whether the worker lets the job of that Workload run. */
  private static boolean isLetGo(JsonNode workload) {
    return Conditions.isTrue(workload, ConditionTypes.ADMITTED)
        && !Conditions.isTrue(workload, ConditionTypes.FINISHED)
        && !isStopped(workload);
  }

  static boolean isStopped(JsonNode workload) {
    return Conditions.isTrue(workload, ConditionTypes.EVICTED)
        && !Conditions.isTrue(workload, ConditionTypes.QUOTA_RESERVED);
  }

  /**
   * Plans the next steps.
   *
   * @param stopsFirst whether what may be running is stopped cleanly; not needed for what nobody
   *     waits for
   * @param why what the worker is told
   */
  public static Steps plan(Target target, boolean stopsFirst, String why, Instant now) {
    if (!target.isThere()) {
      return Steps.of(Progress.GONE);
    }
    if (stopsFirst && target.mayRunNow()) {
      Optional<Steps> stop = target.workload().flatMap(it -> stop(it, why, now));
      if (stop.isPresent()) {
        return stop.get();
      }
    }
    return remove(target);
  }

  /** Tells the worker to stop it, and waits for that; empty if there is nothing to wait for. */
  private static Optional<Steps> stop(JsonNode workload, String why, Instant now) {
    if (isBeingDeleted(workload) || Conditions.isTrue(workload, ConditionTypes.FINISHED)) {
      return Optional.empty();
    }
    Optional<JsonNode> asked =
        Conditions.find(workload, ConditionTypes.DEACTIVATION_TARGET)
            .filter(Conditions::isTrue)
            .or(() -> eviction(workload));
    if (asked.isEmpty()) {
      return Optional.of(
          new Steps(
              Progress.RUNNING,
              List.of(deactivation(workload, why, now)),
              Set.of(),
              Optional.of(now.plus(PATIENCE))));
    }
    Instant until = time(asked.get(), now).plus(PATIENCE);
    return now.isBefore(until)
        ? Optional.of(new Steps(Progress.RUNNING, List.of(), Set.of(), Optional.of(until)))
        : Optional.empty();
  }

  /** A worker takes back what it was asked for once it has deactivated and evicted the Workload. */
  private static Optional<JsonNode> eviction(JsonNode workload) {
    return workload.path("spec").path("active").asBoolean(true)
        ? Optional.empty()
        : Conditions.find(workload, ConditionTypes.EVICTED).filter(Conditions::isTrue);
  }

  /**
   * When that condition was written, at the latest now, if the clock of the worker is ahead; a time
   * that cannot be read counts as long ago.
   */
  private static Instant time(JsonNode condition, Instant now) {
    try {
      Instant time = Instant.parse(condition.path("lastTransitionTime").asText());
      return time.isAfter(now) ? now : time;
    } catch (DateTimeParseException e) {
      return now.minus(PATIENCE);
    }
  }

  private static Write deactivation(JsonNode workload, String why, Instant now) {
    ObjectNode condition =
        Patches.object()
            .put("type", ConditionTypes.DEACTIVATION_TARGET)
            .put("status", "True")
            .put("reason", Reasons.EVICTED_ON_MANAGER_CLUSTER)
            .put("message", Messages.cut("Evicted on manager: " + why))
            .put("lastTransitionTime", now.toString());
    ObjectNode patch = Patches.object();
    ArrayNode conditions = patch.putObject("status").putArray("conditions");
    for (JsonNode other : workload.path("status").path("conditions")) {
      if (!other.path("type").asText().equals(ConditionTypes.DEACTIVATION_TARGET)) {
        conditions.add(other.deepCopy());
      }
    }
    conditions.add(condition);
    return new Write.MergePatch(
        ObjectRef.of(WorkloadView.TYPE, workload),
        "status",
        patch,
        Controllers.MULTI_KUEUE,
        version(workload));
  }

  private static Steps remove(Target target) {
    List<Write> writes = new ArrayList<>();
    Set<Plan.Ask> asks = target.unasked();
    boolean isThere = false;
    boolean isEnding = true;
    boolean runs = false;
    for (Presence presence : target.jobs().values()) {
      Optional<JsonNode> job = presence.object();
      if (job.isPresent()) {
        isThere = true;
        runs |= target.mayRun().test(job.get());
        isEnding &= isBeingDeleted(job.get());
        if (!isBeingDeleted(job.get())) {
          target.jobKind().ifPresent(kind -> writes.add(delete(kind, job.get())));
        }
      }
    }
    if (!isThere && asks.isEmpty()) {
      target.workload().ifPresent(it -> removeWorkload(it, writes));
    } else if (isThere && isEnding) {
      target.workload().filter(Withdrawal::holdsItsPods).ifPresent(it -> writes.add(delete(it)));
    }
    return new Steps(runs ? Progress.RUNNING : Progress.ENDING, writes, asks, Optional.empty());
  }

  /**
   * Whether Pods of a group are kept until others replace them, or their Workload goes. Its own
   * finalizer is the worker's to remove, once it has let go of the Pods.
   */
  private static boolean holdsItsPods(JsonNode workload) {
    boolean isGroup =
        workload
            .path("metadata")
            .path("annotations")
            .path(Annotations.IS_GROUP_WORKLOAD)
            .asText()
            .equals("true");
    return isGroup && !isBeingDeleted(workload);
  }

  private static Write delete(JsonNode workload) {
    return delete(WorkloadView.TYPE, workload);
  }

  private static void removeWorkload(JsonNode workload, List<Write> writes) {
    ArrayNode kept = Patches.object().arrayNode();
    JsonNode finalizers = workload.path("metadata").path("finalizers");
    finalizers
        .valueStream()
        .filter(it -> !it.asText().equals(Finalizers.RESOURCE_IN_USE))
        .forEach(kept::add);
    if (kept.size() < finalizers.size()) {
      ObjectNode patch = Patches.object();
      patch.putObject("metadata").set("finalizers", kept);
      writes.add(
          new Write.MergePatch(
              ObjectRef.of(WorkloadView.TYPE, workload),
              "",
              patch,
              Controllers.MULTI_KUEUE,
              version(workload)));
    }
    if (!isBeingDeleted(workload)) {
      writes.add(delete(workload));
    }
  }

  /** Deletes an object of exactly this uid, with Background propagation. */
  static Write delete(GroupVersionKind kind, JsonNode object) {
    return new Write.Delete(ObjectRef.of(kind, object));
  }

  static boolean isBeingDeleted(JsonNode object) {
    return object.path("metadata").path("deletionTimestamp").isTextual();
  }

  static String version(JsonNode object) {
    return object.path("metadata").path("resourceVersion").asText();
  }
}
