package dev.sluice.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import java.util.ArrayList;
import java.util.List;

/**
 * A change of one object that stops or resumes it.
 *
 * @param kind Workload, LocalQueue or ClusterQueue
 * @param object as it is stored
 */
record StopChange(ApiKind kind, JsonNode object, Action action) {
  /** Names that are shown; of more, only the number is. */
  private static final int NAMED = 10;

  /** What is done. */
  enum Action {
    /** What has quota is evicted, and nothing more gets any. */
    STOP("HoldAndDrain"),
    /** What has quota keeps it, and nothing more gets any. */
    HOLD("Hold"),
    RESUME("None");

    private final String policy;

    Action(String policy) {
      this.policy = policy;
    }
  }

  static StopChange of(ApiKind kind, JsonNode object, Action action) {
    return new StopChange(kind, object, action);
  }

  private boolean isWorkload() {
    return kind == ApiKind.WORKLOAD;
  }

  private String name() {
    String namespace = object.at("/metadata/namespace").asText();
    String name = object.at("/metadata/name").asText();
    return kind.kind() + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
  }

  private String now() {
    return isWorkload()
        ? String.valueOf(object.at("/spec/active").asBoolean(true))
        : object.at("/spec/stopPolicy").asText("None");
  }

  private String then() {
    return isWorkload() ? String.valueOf(action == Action.RESUME) : action.policy;
  }

  private String field() {
    return isWorkload() ? "active" : "stopPolicy";
  }

  /** Whether the object already is so. */
  boolean isDone() {
    return now().equals(then());
  }

  /** What changes, as a line. */
  String head() {
    return isDone()
        ? "%s: %s is already %s%n".formatted(name(), field(), now())
        : "%s: %s %s -> %s%n".formatted(name(), field(), now(), then()) + ownEviction();
  }

  private String ownEviction() {
    return isWorkload() && action != Action.RESUME && hasQuota(object) ? "it is evicted\n" : "";
  }

  /** Whether other objects have to be read to name the affected workloads. */
  boolean affectsOthers() {
    return !isWorkload();
  }

  /**
   * The workloads that it affects, as lines.
   *
   * @param workloads a list of all that could be
   */
  String affected(JsonNode workloads) {
    List<String> running = new ArrayList<>();
    int waiting = 0;
    for (JsonNode workload : workloads.path("items")) {
      if (isFinished(workload)) {
        continue;
      }
      if (hasQuota(workload) && isIn(workload)) {
        running.add(
            workload.at("/metadata/namespace").asText()
                + "/"
                + workload.at("/metadata/name").asText());
      } else if (!hasQuota(workload) && kind == ApiKind.LOCAL_QUEUE && isIn(workload)) {
        waiting++;
      }
    }
    if (kind == ApiKind.CLUSTER_QUEUE) {
      waiting = object.at("/status/pendingWorkloads").asInt();
    }
    return switch (action) {
      case STOP -> told(running, "is evicted", "are evicted") + waiting(waiting);
      case HOLD -> told(running, "keeps its quota", "keep their quota") + waiting(waiting);
      case RESUME -> "%d waiting get quota again in their turn%n".formatted(waiting);
    };
  }

  private static String waiting(int count) {
    return "%d waiting get no quota until it is resumed%n".formatted(count);
  }

  private static String told(List<String> workloads, String one, String many) {
    if (workloads.isEmpty()) {
      return "no workload has quota\n";
    }
    String more = workloads.size() > NAMED ? ", ..." : "";
    return "%d %s: %s%s%n"
        .formatted(
            workloads.size(),
            workloads.size() == 1 ? one : many,
            String.join(", ", workloads.subList(0, Math.min(NAMED, workloads.size()))),
            more);
  }

  private boolean isIn(JsonNode workload) {
    String name = object.at("/metadata/name").asText();
    return kind == ApiKind.LOCAL_QUEUE
        ? workload.at("/spec/queueName").asText().equals(name)
        : workload.at("/status/admission/clusterQueue").asText().equals(name);
  }

  private static boolean hasQuota(JsonNode workload) {
    return Conditions.isTrue(workload, ConditionTypes.QUOTA_RESERVED);
  }

  private static boolean isFinished(JsonNode workload) {
    return Conditions.isTrue(workload, ConditionTypes.FINISHED);
  }

  /** The merge patch that makes it. */
  String patch() {
    String value = isWorkload() ? then() : "\"" + then() + "\"";
    return "{\"spec\":{\"%s\":%s}}".formatted(field(), value);
  }
}
