package dev.sluice.jobs.train;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.rules.SameValue;
import java.util.List;
import java.util.Optional;

/** The entry of a TrainJob's runtimePatches that holds what was decided for its Pods. */
final class RuntimePatch {
  /** The member of the TrainJob's spec. */
  static final String LIST = "runtimePatches";

  static final String MANAGER = Domains.KUEUE + "manager";

  private static final String RUNTIME = "trainingRuntimeSpec";
  private static final String TEMPLATE = "template";
  private static final String SPEC = "spec";

  private RuntimePatch() {}

  /** Whether an entry is ours. */
  static boolean isOurs(JsonNode patch) {
    return patch.path("manager").asText("").equals(MANAGER);
  }

  /** The replicated Jobs of an entry. */
  static JsonNode jobs(JsonNode patch) {
    return decision(patch).path("replicatedJobs");
  }

  private static JsonNode decision(JsonNode patch) {
    return patch.path(RUNTIME).path(TEMPLATE).path(SPEC);
  }

  /** An entry that decides nothing. */
  static ObjectNode empty() {
    ObjectNode entry = Patches.object().put("manager", MANAGER);
    entry.putObject(RUNTIME).putObject(TEMPLATE).putObject(SPEC);
    return entry;
  }

  /** Whether the TrainJob holds exactly this decision. */
  static boolean holds(JsonNode trainJob, JsonNode decision) {
    return SameValue.of(decision(ours(trainJob)), decision);
  }

  private static JsonNode ours(JsonNode trainJob) {
    for (JsonNode patch : trainJob.path(SPEC).path(LIST)) {
      if (isOurs(patch)) {
        return patch;
      }
    }
    return empty();
  }

  /**
   * Writes the admission into our entry. A missing entry is added at the end, so that no other
   * overrides it.
   *
   * @param trainJob changed
   */
  static void write(ObjectNode trainJob, ObjectNode decision) {
    ObjectNode entry = ours(trainJob).deepCopy();
    ArrayNode list = Patches.list(Patches.child(trainJob, SPEC), LIST);
    Patches.child(Patches.child(entry, RUNTIME), TEMPLATE).set(SPEC, decision);
    for (int i = 0; i < list.size(); i++) {
      if (isOurs(list.get(i))) {
        list.set(i, entry);
        return;
      }
    }
    list.add(entry);
  }

  /**
   * Adds to a decision what the Pods of one replicated Job get.
   *
   * @param decision changed
   * @param job the name of the replicated Job, as the runtime has it
   * @return why it cannot be
   */
  static Optional<String> add(
      ObjectNode decision, String job, PodSetShape podSet, Injection injection) {
    ObjectNode whole = podSet.template().deepCopy();
    Optional<String> problem = injection.into(whole);
    if (problem.isPresent()) {
      return problem;
    }
    ObjectNode own = Patches.object();
    injection.into(own);
    if (own.path(SPEC).has("tolerations")) { // the trainer replaces this list, it merges the others
      Patches.child(own, SPEC).set("tolerations", whole.path(SPEC).path("tolerations"));
    }
    own.remove(List.of("metadata", SPEC).stream().filter(it -> own.path(it).isEmpty()).toList());
    ObjectNode entry = Patches.list(decision, "replicatedJobs").addObject().put("name", job);
    entry.putObject(TEMPLATE).putObject(SPEC).set(TEMPLATE, own);
    return Optional.empty();
  }
}
