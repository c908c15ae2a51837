package dev.sluice.cli.migrate;

import static dev.sluice.cli.cluster.ClusterException.Reason.DENIED;
import static dev.sluice.cli.cluster.ClusterException.Reason.UNEXPECTED;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.cli.cluster.Pages;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes Kueue the only owner of the status of all Workloads.
 *
 * <p>Kueue writes a status by server-side apply, and takes a reservation back by leaving it out.
 * The API server removes what is left out only if nobody else owns it. Sluice writes by merge
 * patch, so its reservations would stay. Here the status is applied as it is under Kueue's name,
 * and taken from all who own it by updates. Each write has the version read before as a condition;
 * a Workload that changes meanwhile is read again. A second run changes nothing that matters.
 */
final class HandBack {
  private static final String WORKLOADS =
      "/apis/" + ApiVersion.HUB.groupVersion() + "/" + ApiKind.WORKLOAD.plural();

  private static final String ADMISSION = "kueue-admission";
  private static final String RECLAIMABLE = "reclaimablePods";
  private static final String RECLAIMABLE_MANAGER = "kueue-reclaimable-pods";
  private static final int CONFLICT = 409;
  private static final int GONE = 404;
  private static final int TRIES = 5;

  private final RetryingCaller caller;
  private final int pageSize;

  /**
   * What was done.
   *
   * @param handed how many Workloads have a status and are Kueue's now
   * @param failures in the order of the list
   */
  record Result(int handed, List<Failure> failures) {
    Result {
      failures = List.copyOf(failures);
    }
  }

  HandBack(RetryingCaller caller, int pageSize) {
    this.caller = caller;
    this.pageSize = pageSize;
  }

  /**
   * Goes through all Workloads.
   *
   * @throws ClusterException if the list cannot be read
   */
  Result all() {
    List<ObjectPath> all = paths(); // first: a list expires while Workloads are written
    int handed = 0;
    List<Failure> failures = new ArrayList<>();
    for (ObjectPath workload : all) {
      Answer answer = handBack(workload);
      if (answer.isSuccess()) {
        handed++;
      } else if (answer.status() != GONE) {
        failures.add(new Failure(workload.toString(), answer.message()));
      }
    }
    return new Result(handed, failures);
  }

  /** Those that have a status. */
  private List<ObjectPath> paths() {
    List<ObjectPath> paths = new ArrayList<>();
    Pages.each(
            caller::get,
            WORKLOADS,
            "",
            pageSize,
            workload -> {
              if (!workload.path("status").isEmpty()) {
                paths.add(ObjectPath.of(workload));
              }
            })
        .ifPresent(
            refusal -> {
              throw new ClusterException(
                  refusal.status() == 403 ? DENIED : UNEXPECTED,
                  "Workloads cannot be listed: " + refusal.message());
            });
    return paths;
  }

  private Answer handBack(ObjectPath workload) {
    String base = WORKLOADS.substring(0, WORKLOADS.lastIndexOf('/'));
    String path = workload.within(base, ApiKind.WORKLOAD.plural());
    for (int attempt = 1; ; attempt++) {
      Answer read = caller.get(path);
      Answer answer = read.isSuccess() ? handBack(path, read.json()) : read;
      if (answer.status() != CONFLICT || attempt == TRIES) {
        return answer;
      }
    }
  }

  private Answer handBack(String path, JsonNode workload) {
    ObjectNode status = workload.path("status").deepCopy();
    JsonNode reclaimable = status.remove(RECLAIMABLE);
    Answer answer = caller.apply(path + "/status", ADMISSION, applied(workload, status));
    if (answer.isSuccess() && reclaimable != null) {
      ObjectNode rest = JsonNodeFactory.instance.objectNode().set(RECLAIMABLE, reclaimable);
      answer = caller.apply(path + "/status", RECLAIMABLE_MANAGER, applied(answer.json(), rest));
    }
    return answer.isSuccess()
        ? caller.patchOnce(path + "?fieldManager=sluice-migrate", owners(answer.json()).toString())
        : answer;
  }

  private static String applied(JsonNode workload, JsonNode status) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", ApiVersion.HUB.groupVersion());
    object.put("kind", "Workload");
    object
        .putObject("metadata")
        .put("name", workload.at("/metadata/name").asText())
        .put("namespace", workload.at("/metadata/namespace").asText())
        .put("resourceVersion", workload.at("/metadata/resourceVersion").asText());
    object.set("status", status);
    return object.toString();
  }

  /** A patch after which only those who apply own parts of the status. */
  static ObjectNode owners(JsonNode workload) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ArrayNode owners =
        patch
            .putObject("metadata")
            .put("resourceVersion", workload.at("/metadata/resourceVersion").asText())
            .putArray("managedFields");
    for (JsonNode owner : workload.at("/metadata/managedFields")) {
      ObjectNode kept = owner.deepCopy();
      if (!kept.path("operation").asText().equals("Apply")) {
        kept.withObject("/fieldsV1").remove("f:status");
      }
      if (!kept.path("fieldsV1").isEmpty()) {
        owners.add(kept);
      }
    }
    return patch;
  }
}
