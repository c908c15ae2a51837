package dev.sluice.jobs.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.reconcile.FollowedMetadata;
import dev.sluice.jobs.reconcile.WorkloadMaker;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.Priority;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the Workload of a group of Pods once the group is complete. One thread, one plan.
 *
 * @param key the group
 */
record PodGroupComposer(JobKey key, PlanContext context, Writes writes) {
  private static final int MAX_ROLES = 18;
  private static final Duration LATER = Duration.ofSeconds(10);

  private String group() {
    return key.name();
  }

  /** Plans the Workload, and returns when to plan again without a change. */
  Optional<Instant> compose(PodGroup job) {
    job.pods().stream()
        .filter(it -> Pods.isDeleting(it) || Pods.phase(it).equals("Failed"))
        .forEach(it -> Pods.release(it, writes));
    List<JsonNode> present = job.present();
    if (present.isEmpty() || !writes.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode description = Patches.object();
    Optional<String> problem = problem(job).or(() -> describe(present, description));
    if (problem.isPresent()) {
      writes.notice(
          Pods.KIND, job.tree(), "Warning", EventReasons.ERR_WORKLOAD_COMPOSE, problem.get());
    } else if (present.size() > job.total()) {
      ExcessPods.delete(group(), present, job.total(), writes);
    } else {
      return create(job, description);
    }
    return Optional.empty();
  }

  private Optional<String> problem(PodGroup job) {
    List<JsonNode> present = job.present();
    if (!job.isFast() && present.size() < job.total()) {
      return Optional.of("'" + group() + "' group has fewer runnable pods than expected");
    }
    for (JsonNode pod : present) {
      JobObject one = JobObject.of(pod);
      if (!one.queueName().equals(job.meta().queueName())) {
        return Optional.of("the pods of group '%s' name different queues".formatted(group()));
      }
      if (PodGroup.total(pod) != job.total()) {
        return Optional.of("the pods of group '%s' name different totals".formatted(group()));
      }
      String index = one.labelText(Labels.POD_GROUP_POD_INDEX);
      if (index.matches("[0-9]{1,9}") && Integer.parseInt(index) >= job.total()) {
        return Optional.of(
            "group '%s' has %d pods, so there is no index %s"
                .formatted(group(), job.total(), index));
      }
    }
    return job.podSets().size() > MAX_ROLES
        ? Optional.of("pod group can't include more than " + MAX_ROLES + " roles")
        : Optional.empty();
  }

  /**
   * Collects the labels and annotations that the Workload takes over; a Pod without one does not
   * contradict the others.
   *
   * @param description changed
   * @return why the Pods contradict each other
   */
  private Optional<String> describe(List<JsonNode> present, ObjectNode description) {
    var maker = new WorkloadMaker(context.settings());
    for (JsonNode pod : present) {
      ObjectNode one = Patches.object();
      maker.describe(one, JobObject.of(pod));
      for (String map : List.of("labels", "annotations")) {
        for (Map.Entry<String, JsonNode> entry : one.path("metadata").path(map).properties()) {
          ObjectNode all = Patches.child(Patches.child(description, "metadata"), map);
          JsonNode before = all.path(entry.getKey());
          if (!before.isMissingNode() && !before.equals(entry.getValue())) {
            return Optional.of(
                "the pods of group '%s' have different %s %s"
                    .formatted(group(), map, entry.getKey()));
          }
          all.set(entry.getKey(), entry.getValue());
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Instant> create(PodGroup job, ObjectNode description) {
    List<PodSetShape> podSets = job.podSets();
    Priority.Found priority = Priority.of(job.meta(), podSets, context.world());
    if (priority.priority().isEmpty()) {
      priority.tellMissing(Pods.KIND, job.tree(), writes);
      return Optional.of(context.now().plus(LATER));
    }
    var maker = new WorkloadMaker(context.settings());
    ObjectNode spec = maker.spec(job.meta(), podSets, priority.priority().get());
    ObjectNode workload = maker.bare(key.namespace(), group(), spec);
    ObjectNode metadata = Patches.child(workload, "metadata");
    description
        .path("metadata")
        .properties()
        .forEach(it -> Patches.child(metadata, it.getKey()).setAll((ObjectNode) it.getValue()));
    FollowedMetadata.copy(job.meta(), workload, context.settings());
    Patches.child(metadata, "annotations").put(Annotations.IS_GROUP_WORKLOAD, "true");
    metadata.putArray("finalizers").add(Finalizers.RESOURCE_IN_USE);
    ArrayNode owners = metadata.putArray("ownerReferences");
    job.present().forEach(it -> owners.add(WorkloadMaker.owner(Pods.KIND, it)));
    writes.create(WorkloadView.TYPE, workload);
    writes.event(
        Pods.KIND,
        job.tree(),
        EventReasons.CREATED_WORKLOAD,
        "Created Workload: " + key.namespace() + "/" + group());
    return Optional.empty();
  }
}
