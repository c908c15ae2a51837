package dev.sluice.jobs.admission;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.rules.Field;

/**
 * A name in a label of an object, or in an annotation if it may be longer than a label.
 *
 * @param key the key of both
 * @param prefersAnnotation whether an annotation counts before the label
 * @param longAnnotationCounts whether one that is too long for a label counts in any case
 */
public record NameSource(String key, boolean prefersAnnotation, boolean longAnnotationCounts) {
  private static final int MAX_LABEL = 63;

  /** Where a job names the Workload that is there already. */
  public static NameSource prebuilt(JobReview review) {
    return new NameSource(
        Labels.PREBUILT_WORKLOAD, review.isOn(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS), true);
  }

  /** Where a Pod names its group. */
  public static NameSource podGroup(JobReview review) {
    return new NameSource(
        Labels.POD_GROUP_NAME, review.isOn(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS), false);
  }

  /** Whether the annotation is used instead of the label. */
  public boolean isAnnotation(JobObject job) {
    String annotation = job.annotationText(key);
    return !annotation.isEmpty() && (prefersAnnotation || countsAnyway(annotation));
  }

  private boolean countsAnyway(String annotation) {
    return longAnnotationCounts && annotation.length() > MAX_LABEL;
  }

  /** Whether that name of a prebuilt Workload is to be written to the annotation of a job. */
  public static boolean isWrittenToAnnotation(String prebuilt, boolean prefersAnnotation) {
    return prefersAnnotation || prebuilt.length() > MAX_LABEL;
  }

  /** The field in use. */
  public Field place(JobObject job) {
    return isAnnotation(job) ? job.annotation(key) : job.label(key);
  }

  /** The name that counts; empty for none. */
  public String name(JobObject job) {
    String label = job.labelText(key);
    boolean fromLabel = !label.isEmpty() && !prefersAnnotation;
    return fromLabel || !isAnnotation(job) ? label : job.annotationText(key);
  }
}
