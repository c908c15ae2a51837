package dev.sluice.multicluster.copy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.admission.NameSource;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the copies of jobs.
 *
 * @param us who makes them
 * @param isNamedByAnnotation whether a job names its Workload in an annotation, not in a label; a
 *     name that is too long for a label is in the annotation in any case
 */
public record JobCopies(Identity us, boolean isNamedByAnnotation) {
  private static final String ANNOTATIONS = "annotations";
  private static final String LABELS = "labels";
  private static final String METADATA = "metadata";

  /** The copy of a job, which runs under the copy of that Workload. */
  public ObjectNode of(RemoteJobs kind, JsonNode job, JsonNode workload) {
    ObjectNode copy = kind.copy(job, workload);
    give(copy, workload);
    return copy;
  }

  private void give(ObjectNode job, JsonNode workload) {
    OwnershipMarks marks = WorkloadCopies.marks(workload, us);
    new OwnershipMarks(marks.origin(), marks.manager(), marks.workloadUid(), marks.dispatch(), "")
        .into(job);
    ObjectNode metadata = job.withObjectProperty(METADATA);
    metadata.withObjectProperty(LABELS).remove(Labels.PREBUILT_WORKLOAD);
    metadata.withObjectProperty(ANNOTATIONS).remove(Labels.PREBUILT_WORKLOAD);
    String name = workload.path(METADATA).path("name").asText();
    boolean isInAnnotation = NameSource.isWrittenToAnnotation(name, isNamedByAnnotation);
    metadata
        .withObjectProperty(isInAnnotation ? ANNOTATIONS : LABELS)
        .put(Labels.PREBUILT_WORKLOAD, name);
  }

  /** The change of a job there by which another Workload takes it over from the one it names. */
  public ObjectNode takenOver(JsonNode job, JsonNode workload) {
    ObjectNode changed = job.deepCopy();
    give(changed, workload);
    return Patches.between(job, changed);
  }

  /** The Workload that a job names, by either marking; empty for none. */
  public static String workloadOf(JsonNode job) {
    JsonNode metadata = job.path(METADATA);
    String annotation = metadata.path(ANNOTATIONS).path(Labels.PREBUILT_WORKLOAD).asText("");
    return annotation.isEmpty()
        ? metadata.path(LABELS).path(Labels.PREBUILT_WORKLOAD).asText("")
        : annotation;
  }

  /**
   * The first paths at which an object is not what was sent. What the API server added is not
   * counted.
   *
   * @param most how many paths at most
   */
  public static List<String> differences(JsonNode sent, JsonNode there, int most) {
    List<String> found = new ArrayList<>();
    compare("spec", sent.path("spec"), there.path("spec"), most, found);
    return List.copyOf(found);
  }

  private static void compare(
      String path, JsonNode sent, JsonNode there, int most, List<String> found) {
    if (found.size() >= most || sent.equals(there)) {
      return;
    }
    if (sent.isObject() && there.isObject()) {
      sent.properties()
          .forEach(
              it ->
                  compare(
                      path + "." + it.getKey(),
                      it.getValue(),
                      there.path(it.getKey()),
                      most,
                      found));
    } else if (sent.isArray() && there.size() == sent.size()) {
      for (int i = 0; i < sent.size(); i++) {
        compare(path + "[" + i + "]", sent.get(i), there.get(i), most, found);
      }
    } else {
      found.add(path);
    }
  }
}
