package dev.sluice.jobs.ray;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.jobs.topology.PodSetGroups;
import dev.sluice.jobs.topology.SliceBounds;
import dev.sluice.jobs.topology.TopologyRequest;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A kind of ray.io: updates are checked only if it is, or was, managed. */
public interface RayKind extends SuspendableKind {
  @Override
  default String framework() {
    return "ray.io/" + kind().kind().toLowerCase(Locale.ROOT);
  }

  @Override
  default boolean canBeElastic() {
    return true;
  }

  @Override
  default Optional<ManagedBy> managedBy() {
    return Optional.of(new ManagedBy(List.of("spec", "managedBy"), "ray.io/kuberay-operator"));
  }

  @Override
  default boolean looksAt(JobReview review, JobObject old, JobObject now) {
    return concernsQueues(review, old, now);
  }

  @Override
  default boolean namesOwnFaultsFirst() {
    return true;
  }

  @Override
  default void checkTopology(JobReview review, JobObject job, ValidationResult findings) {
    if (!review.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)) {
      return;
    }
    List<PodSet> all = podSets(review, job);
    boolean multiLayer = review.isOn(FeatureGate.TAS_MULTI_LAYER_TOPOLOGY);
    all.forEach(it -> TopologyRequest.check(it.metadata(), multiLayer, findings));
    PodSetGroups.check(all, findings);
    all.forEach(it -> SliceBounds.check(it, findings));
  }

  /** Whether a change is one of a job that is managed, or was. */
  static boolean concernsQueues(JobReview review, JobObject old, JobObject now) {
    return review.settings().manageJobsWithoutQueueName()
        || now.label(Labels.QUEUE_NAME).isPresent()
        || (review.isOn(FeatureGate.VALIDATE_RAY_AND_SPARK_JOB_UPDATES)
            && old.label(Labels.QUEUE_NAME).isPresent());
  }
}
