package dev.sluice.jobs.appwrapper;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The progress of an AppWrapper.
 *
 * @param tree the AppWrapper
 * @param pods its Pod sets
 */
record AppWrapperJob(JsonNode tree, List<WrappedPods> pods) implements TemplatedJob.Progress {
  /** Condition of an AppWrapper: the wrapped objects exist, or are being created or deleted. */
  private static final String RESOURCES_DEPLOYED = "ResourcesDeployed";

  /** Condition of an AppWrapper: the wrapped objects failed. */
  private static final String UNHEALTHY = "Unhealthy";

  AppWrapperJob {
    pods = List.copyOf(pods);
  }

  static Job job(JsonNode tree) {
    List<WrappedPods> pods = WrappedPods.of(tree);
    return TemplatedJob.of(
        Framework.APP_WRAPPER,
        tree,
        List.of("spec", "suspend"),
        new PodSetInfos(pods),
        new AppWrapperJob(tree, pods));
  }

  @Override
  public boolean isActive() {
    return Conditions.isTrue(tree, ConditionTypes.QUOTA_RESERVED);
  }

  @Override
  public boolean isReady() {
    return Conditions.isTrue(tree, ConditionTypes.PODS_READY);
  }

  /** A failed one still has its Pods until the wrapped objects are deleted. */
  @Override
  public Optional<Job.Finish> finish() {
    return switch (tree.path("status").path("phase").asText()) {
      case "Succeeded" -> Optional.of(new Job.Finish(true, message(ConditionTypes.QUOTA_RESERVED)));
      case "Failed" ->
          Conditions.isTrue(tree, RESOURCES_DEPLOYED)
              ? Optional.empty()
              : Optional.of(new Job.Finish(false, failure()));
      default -> Optional.empty();
    };
  }

  private String failure() {
    String message = message(UNHEALTHY);
    return message.isEmpty() ? message(RESOURCES_DEPLOYED) : message;
  }

  private String message(String condition) {
    return Conditions.find(tree, condition).map(it -> it.path("message").asText()).orElse("");
  }

  @Override
  public List<PodSetShape> podSets() {
    String name = tree.path("metadata").path("name").asText();
    List<PodSetShape> podSets = new ArrayList<>();
    for (WrappedPods it : pods) {
      JsonNode template = it.template(tree);
      podSets.add(
          new PodSetShape(
              name + "-" + podSets.size(),
              PodSetShape.rawTemplate(template),
              it.count(),
              OptionalInt.empty(),
              PodSetTopology.request(template.path("metadata").path("annotations"))));
    }
    return podSets;
  }
}
