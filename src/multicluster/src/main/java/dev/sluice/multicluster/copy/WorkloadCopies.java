package dev.sluice.multicluster.copy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;

/** Makes the copies of Workloads, and compares them with their originals. */
public final class WorkloadCopies {
  private static final String ACTIVE = "active";
  private static final String ANNOTATIONS = "annotations";
  private static final String COUNT = "count";
  private static final String LABELS = "labels";
  private static final String METADATA = "metadata";
  private static final String POD_SETS = "podSets";
  private static final String SPEC = "spec";

  /** Members of a spec that change on the copy without a new one. */
  private static final List<String> PRIORITY = List.of("priority", "priorityClassRef");

  private static final List<String> NOT_COMPARED =
      List.of(ACTIVE, "preemptionGates", PRIORITY.get(0), PRIORITY.get(1));

  private WorkloadCopies() {}

  /** How often the Workload was evicted: the number of its present dispatch. */
  public static long dispatch(JsonNode workload) {
    long evictions = 0;
    for (JsonNode count : workload.at("/status/schedulingStats/evictions")) {
      evictions += count.path(COUNT).asLong();
    }
    return evictions;
  }

  /** The marks of copies of that Workload, as it is now. */
  public static OwnershipMarks marks(JsonNode workload, Identity us) {
    return new OwnershipMarks(
        us.origin(),
        us.manager(),
        workload.path(METADATA).path("uid").asText(),
        Long.toString(dispatch(workload)),
        digest(workload));
  }

  /** The copy, which has no owner: the job there adopts it. */
  public static ObjectNode of(JsonNode workload, Identity us) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    copy.put("apiVersion", WorkloadView.TYPE.apiVersion()).put("kind", WorkloadView.TYPE.kind());
    ObjectNode metadata = copy.putObject(METADATA);
    for (String member : List.of("name", "namespace", LABELS, ANNOTATIONS)) {
      JsonNode value = workload.path(METADATA).path(member);
      if (!value.isMissingNode()) {
        metadata.set(member, value.deepCopy());
      }
    }
    if (metadata.path(LABELS) instanceof ObjectNode labels) {
      labels.remove(Labels.JOB_UID); // it has no owner there yet, and would seem an orphan
    }
    ObjectNode spec = spec(workload);
    spec.remove(ACTIVE); // that of the copy is the worker's
    copy.set(SPEC, spec);
    marks(workload, us).into(copy);
    return copy;
  }

  private static ObjectNode spec(JsonNode workload) {
    return workload.path(SPEC) instanceof ObjectNode there
        ? there.deepCopy()
        : JsonNodeFactory.instance.objectNode();
  }

  /** A digest of all of the spec for which a copy that differs is replaced. */
  public static String digest(JsonNode workload) {
    ObjectNode spec = spec(workload);
    spec.remove(NOT_COMPARED);
    if (isElastic(workload)) {
      for (JsonNode podSet : spec.path(POD_SETS)) {
        if (podSet instanceof ObjectNode found) {
          found.remove(COUNT);
        }
      }
    }
    return Digest.of(spec);
  }

  /** Whether the job of that Workload may change its number of Pods while it runs. */
  public static boolean isElastic(JsonNode workload) {
    return !OwnershipMarks.annotation(workload, Annotations.WORKLOAD_SLICE_NAME).isEmpty();
  }

  /**
   * Whether the copy was made from the spec that the Workload has. A copy without our digest is
   * compared by its own spec.
   */
  public static boolean isOfSameSpec(JsonNode workload, JsonNode copy) {
    String noted = OwnershipMarks.of(copy).spec();
    return digest(workload).equals(noted.isEmpty() ? digest(copy) : noted)
        && !hasGrown(workload, copy);
  }

  private static boolean hasGrown(JsonNode workload, JsonNode copy) {
    JsonNode here = workload.path(SPEC).path(POD_SETS);
    JsonNode there = copy.path(SPEC).path(POD_SETS);
    if (!isElastic(workload) || here.size() != there.size()) {
      return false;
    }
    for (int i = 0; i < here.size(); i++) {
      if (here.get(i).path(COUNT).asInt(1) > there.get(i).path(COUNT).asInt(1)) {
        return true;
      }
    }
    return false;
  }

  /** The change of the copy by what follows the Workload while it runs; empty for none. */
  public static ObjectNode followed(JsonNode workload, JsonNode copy) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    for (String member : PRIORITY) {
      follow(workload.path(SPEC), copy.path(SPEC), member, patch, List.of(SPEC));
    }
    JsonNode here = workload.path(METADATA).path(ANNOTATIONS);
    JsonNode there = copy.path(METADATA).path(ANNOTATIONS);
    follow(here, there, Annotations.PRIORITY_BOOST, patch, List.of(METADATA, ANNOTATIONS));
    followCounts(workload, copy, patch);
    return patch;
  }

  private static void follow(
      JsonNode here, JsonNode there, String member, ObjectNode patch, List<String> path) {
    JsonNode value = here.path(member);
    if (value.equals(there.path(member))) {
      return;
    }
    ObjectNode parent = patch;
    for (String step : path) {
      parent = parent.withObjectProperty(step);
    }
    if (value.isMissingNode()) {
      parent.putNull(member);
    } else {
      parent.set(member, value.deepCopy());
    }
  }

  private static void followCounts(JsonNode workload, JsonNode copy, ObjectNode patch) {
    JsonNode here = workload.path(SPEC).path(POD_SETS);
    if (!isElastic(workload)
        || !(copy.path(SPEC).path(POD_SETS) instanceof ArrayNode there)
        || here.size() != there.size()) {
      return;
    }
    ArrayNode podSets = there.deepCopy();
    boolean isSmaller = false;
    for (int i = 0; i < here.size(); i++) {
      int count = here.get(i).path(COUNT).asInt(1);
      if (count < podSets.get(i).path(COUNT).asInt(1)
          && podSets.get(i) instanceof ObjectNode podSet) {
        podSet.put(COUNT, count);
        isSmaller = true;
      }
    }
    if (isSmaller) {
      patch.withObjectProperty(SPEC).set(POD_SETS, podSets);
    }
  }
}
