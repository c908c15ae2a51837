package dev.sluice.webhook.guard;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import java.util.LinkedHashSet;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The fields of a {@code batch/v1} Job that decide how many pods it may have.
 *
 * @param parallelism how many pods may live at a time
 * @param completions how many pods must succeed; empty if one success is a sign for all
 * @param indexed whether each pod has an index of its own
 * @param countsTerminating whether a terminating pod still counts as living
 * @param finished whether the Job has come to its end, or is about to
 * @param succeeded how many pods its status has counted for good
 * @param uncounted the uids of pods that succeeded and are about to be counted
 * @param failing the uids of pods that failed and are about to be counted, whatever they say now
 * @param completedIndexes the indexes that succeeded, such as {@code 0-2,5}
 */
record JobFacts(
    String name,
    String uid,
    int parallelism,
    OptionalInt completions,
    boolean indexed,
    boolean countsTerminating,
    boolean suspended,
    boolean finished,
    int succeeded,
    Set<String> uncounted,
    Set<String> failing,
    String completedIndexes) {
  private static final Set<String> ENDS =
      Set.of("Complete", "Failed", "SuccessCriteriaMet", "FailureTarget");

  JobFacts {
    uncounted = Set.copyOf(uncounted);
    failing = Set.copyOf(failing);
  }

  static JobFacts of(JsonNode job) {
    JsonNode spec = job.path("spec");
    JsonNode status = job.path("status");
    JsonNode completions = spec.path("completions");
    return new JobFacts(
        job.path("metadata").path("name").asText(),
        job.path("metadata").path("uid").asText(),
        spec.path("parallelism").asInt(1),
        completions.isInt() ? OptionalInt.of(completions.intValue()) : OptionalInt.empty(),
        spec.path("completionMode").asText().equals("Indexed"),
        countsTerminating(spec),
        spec.path("suspend").asBoolean(),
        ENDS.stream().anyMatch(it -> Conditions.isTrue(job, it)),
        status.path("succeeded").asInt(),
        uncounted(status, "succeeded"),
        uncounted(status, "failed"),
        status.path("completedIndexes").asText());
  }

  /** The API server writes the policy down; its default depends on the failure policy. */
  private static boolean countsTerminating(JsonNode spec) {
    String policy = spec.path("podReplacementPolicy").asText();
    return policy.isEmpty() ? spec.has("podFailurePolicy") : policy.equals("Failed");
  }

  private static Set<String> uncounted(JsonNode status, String how) {
    Set<String> uids = new LinkedHashSet<>();
    status.path("uncountedTerminatedPods").path(how).forEach(uid -> uids.add(uid.asText()));
    return uids;
  }

  /** How many successes the status has, those included that it is about to count. */
  long counted() {
    return (long) succeeded + uncounted.size();
  }

  /** Whether a pod of this index has succeeded and was counted. */
  boolean hasCompleted(int index) {
    for (String range : completedIndexes.split(",", -1)) {
      int dash = range.indexOf('-');
      OptionalInt first = number(dash < 0 ? range : range.substring(0, dash));
      OptionalInt last = number(range.substring(dash + 1));
      if (first.isPresent()
          && last.isPresent()
          && first.getAsInt() <= index
          && index <= last.getAsInt()) {
        return true;
      }
    }
    return false;
  }

  private static OptionalInt number(String text) {
    return text.matches("\\d{1,9}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
  }
}
