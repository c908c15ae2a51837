package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Manager.CustomLabel;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Patches;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The labels and annotations that a Workload follows from its job. */
public final class FollowedMetadata {
  private static final String LABELS = "labels";
  private static final String ANNOTATIONS = "annotations";

  private FollowedMetadata() {}

  /** Gives a new Workload the admission gates of its job, and what it follows later. */
  public static void copy(JobObject job, ObjectNode workload, JobSettings settings) {
    if (settings.isOn(FeatureGate.ADMISSION_GATED_BY)) {
      follow(job, workload, ANNOTATIONS, Annotations.ADMISSION_GATED_BY);
    }
    follow(job, workload, settings);
  }

  /**
   * Removes the admission gates that the job of a Workload no longer has. None is added: a Workload
   * gets no gate after its creation, and a job that waited for one would never start.
   */
  public static void openGates(JobObject job, ObjectNode workload, JobSettings settings) {
    String key = Annotations.ADMISSION_GATED_BY;
    Set<String> gates = names(workload.path("metadata").path(ANNOTATIONS).path(key).asText());
    if (settings.isOn(FeatureGate.ADMISSION_GATED_BY)
        && gates.containsAll(names(job.annotationText(key)))) {
      follow(job, workload, ANNOTATIONS, key);
    }
  }

  private static Set<String> names(String gates) {
    return Stream.of(gates.split(",", -1))
        .map(String::strip)
        .filter(it -> !it.isEmpty())
        .collect(Collectors.toSet());
  }

  /** Copies the expected run time and the labels for metrics from a job to its Workload. */
  public static void follow(JobObject job, ObjectNode workload, JobSettings settings) {
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
