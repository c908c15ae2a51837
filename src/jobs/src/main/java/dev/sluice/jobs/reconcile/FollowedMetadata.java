package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Manager.CustomLabel;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Patches;

/** The labels and annotations that a Workload follows from its job. */
public final class FollowedMetadata {
  private static final String LABELS = "labels";
  private static final String ANNOTATIONS = "annotations";

  private FollowedMetadata() {}

  /**
   * Copies the admission gates, the expected run time, and the labels for metrics from a job to its
   * Workload.
   */
  public static void follow(JobObject job, ObjectNode workload, JobSettings settings) {
    if (settings.isOn(FeatureGate.ADMISSION_GATED_BY)) {
      follow(job, workload, ANNOTATIONS, Annotations.ADMISSION_GATED_BY);
    }
    if (!job.annotationText(Annotations.RUNS_FOR).isEmpty()) { // else the Workload may have its own
      follow(job, workload, ANNOTATIONS, Annotations.RUNS_FOR);
    }
    for (CustomLabel label : settings.measured()) {
      follow(job, workload, label.fromAnnotation() ? ANNOTATIONS : LABELS, label.key());
    }
  }

  private static void follow(JobObject job, ObjectNode workload, String map, String key) {
    String wanted = map.equals(LABELS) ? job.labelText(key) : job.annotationText(key);
    ObjectNode metadata = Patches.child(workload, "metadata");
    if (!wanted.isEmpty()) {
      Patches.child(metadata, map).put(key, wanted);
    } else if (metadata.path(map).has(key)) {
      Patches.child(metadata, map).remove(key);
    }
  }
}
