package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The priority of a job.
 *
 * @param reference its priority class, as Workloads name it; empty for none
 */
public record Priority(int value, ObjectNode reference) {
  private static final GroupKind POD_CLASS = new GroupKind("scheduling.k8s.io", "PriorityClass");
  private static final GroupKind JOB_CLASS = ApiKind.WORKLOAD_PRIORITY_CLASS.groupKind();

  /**
   * What is known of it.
   *
   * @param priority empty if a class that the job names is not there
   * @param kind the kind of the class that it is taken from
   * @param name the name of that class; empty for none
   */
  public record Found(Optional<Priority> priority, GroupKind kind, String name) {
    private static Found of(GroupKind kind, String name, Optional<JsonNode> object) {
      return new Found(
          object.map(it -> new Priority(it.path("value").asInt(), reference(kind, name))),
          kind,
          name);
    }

    /** Reports that the class is missing; the plan ends until it exists. */
    public void tellMissing(GroupVersionKind of, JsonNode job, Writes writes) {
      String message = kind.kind() + " " + name + " is not found";
      writes.notice(of, job, "Warning", EventReasons.WORKLOAD_PRIORITY_CLASS_NOT_FOUND, message);
      writes.await(kind, "", name);
    }
  }

  /** By the job's label, else by the class of its Pods, else by the cluster's default. */
  public static Found of(JobObject job, List<PodSetShape> podSets, JobWorld world) {
    return of(job, "", podSets, world);
  }

  /**
   * The same for a job whose kind has a field for the class of its Pods.
   *
   * @param ownClass the PriorityClass in that field; empty for none
   */
  public static Found of(
      JobObject job, String ownClass, List<PodSetShape> podSets, JobWorld world) {
    String label = job.labelText(Labels.PRIORITY_CLASS);
    if (!label.isEmpty()) {
      return ofLabel(label, world);
    }
    return Stream.concat(Stream.of(ownClass), podSets.stream().map(Priority::ofTemplate))
        .filter(it -> !it.isEmpty())
        .findFirst()
        .map(name -> Found.of(POD_CLASS, name, world.find(POD_CLASS, "", name)))
        .orElseGet(() -> new Found(Optional.of(byDefault(world)), POD_CLASS, ""));
  }

  private static String ofTemplate(PodSetShape podSet) {
    return podSet.template().path("spec").path("priorityClassName").asText("");
  }

  /** The priority of the class of that name. */
  public static Found ofLabel(String name, JobWorld world) {
    return Found.of(JOB_CLASS, name, world.find(JOB_CLASS, "", name));
  }

  private static Priority byDefault(JobWorld world) {
    return world.list(POD_CLASS).stream()
        .filter(it -> it.path("globalDefault").asBoolean())
        .min(Comparator.comparingInt(it -> it.path("value").asInt()))
        .map(
            it ->
                new Priority(
                    it.path("value").asInt(),
                    reference(POD_CLASS, it.path("metadata").path("name").asText())))
        .orElseGet(() -> new Priority(0, Patches.object()));
  }

  private static ObjectNode reference(GroupKind kind, String name) {
    return Patches.object().put("group", kind.group()).put("kind", kind.kind()).put("name", name);
  }

  /** Writes it into the spec of a Workload. */
  public void into(ObjectNode spec) {
    spec.put("priority", value);
    if (!reference.isEmpty()) {
      spec.set("priorityClassRef", reference);
    }
  }
}
