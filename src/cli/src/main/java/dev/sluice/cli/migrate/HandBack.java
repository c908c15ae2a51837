package dev.sluice.cli.migrate;

import static dev.sluice.cli.cluster.ClusterException.Reason.DENIED;
import static dev.sluice.cli.cluster.ClusterException.Reason.UNEXPECTED;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.cli.cluster.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes Kueue the only owner of the status of all Workloads, and takes our finalizer from
 * MultiKueueClusters, which would stay for ever when they are deleted.
 *
 * <p>Kueue writes a status by server-side apply, and takes a reservation back by leaving it out.
 * The API server removes what is left out only if nobody else owns it. Sluice writes by merge
 * patch, so its reservations would stay. Here the status is applied as it is under Kueue's name,
 * and taken from all who own it by updates. Each write has the version read before as a condition;
 * a Workload that changes meanwhile is read again. A second run changes nothing that matters.
 */
final class HandBack {
  private static final String BASE = "/apis/" + ApiVersion.HUB.groupVersion();

  private static final String MANAGER = "?fieldManager=sluice-migrate";
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
   * @param released how many MultiKueueClusters had our finalizer
   * @param failures in the order of the lists, Workloads first
   */
  record Result(int handed, int released, List<Failure> failures) {
    Result {
      failures = List.copyOf(failures);
    }
  }

  HandBack(RetryingCaller caller, int pageSize) {
    this.caller = caller;
    this.pageSize = pageSize;
  }

  /**
   * Goes through all Workloads and all MultiKueueClusters.
   *
   * @throws ClusterException if Workloads cannot be listed
   */
  Result all() {
    List<Failure> failures = new ArrayList<>();
    int handed = each(ApiKind.WORKLOAD, it -> !it.path("status").isEmpty(), this::hand, failures);
    int released = each(ApiKind.MULTI_KUEUE_CLUSTER, HandBack::isHeld, this::release, failures);
    return new Result(handed, released, failures);
  }

  private interface Change {
    /** Writes an object as it was read, under the condition that it is still so. */
    Answer write(String path, JsonNode object);
  }

  /** Changes those objects of a kind; how many were. */
  private int each(
      ApiKind kind, Predicate<JsonNode> filter, Change change, List<Failure> failures) {
    List<ObjectPath> objects = new ArrayList<>(); // first: a list expires while objects are written
    Pages.each(
            caller::get,
            BASE + "/" + kind.plural(),
            "",
            pageSize,
            object -> {
              if (filter.test(object)) {
                objects.add(ObjectPath.of(object));
              }
            })
        .ifPresent(refusal -> refused(kind, refusal, failures));
    int changed = 0;
    for (ObjectPath object : objects) {
      Answer answer = changed(object.within(BASE, kind.plural()), change);
      if (answer.isSuccess()) {
        changed++;
      } else if (answer.status() != GONE) {
        failures.add(new Failure(object.toString(), answer.message()));
      }
    }
    return changed;
  }

  /** Without Workloads there is nothing to hand back; MultiKueueClusters need not be served. */
  private static void refused(ApiKind kind, Answer refusal, List<Failure> failures) {
    String message = "cannot be listed: " + refusal.message();
    if (kind == ApiKind.WORKLOAD) {
      throw new ClusterException(
          refusal.status() == 403 ? DENIED : UNEXPECTED, "Workloads " + message);
    } else if (refusal.status() != GONE) {
      failures.add(new Failure(kind.plural(), message));
    }
  }

  private Answer changed(String path, Change change) {
    for (int attempt = 1; ; attempt++) {
      Answer read = caller.get(path);
      Answer answer = read.isSuccess() ? change.write(path, read.json()) : read;
      if (answer.status() != CONFLICT || attempt == TRIES) {
        return answer;
      }
    }
  }

  private static boolean isHeld(JsonNode cluster) {
    return cluster
        .at("/metadata/finalizers")
        .valueStream()
        .anyMatch(it -> it.asText().equals(Finalizers.MULTI_KUEUE_CLEANUP));
  }

  private Answer release(String path, JsonNode cluster) {
    return caller.patchOnce(path + MANAGER, withoutFinalizer(cluster).toString());
  }

  /** A patch after which our finalizer is gone, and those of others are there. */
  static ObjectNode withoutFinalizer(JsonNode cluster) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ArrayNode kept = version(patch, cluster).putArray("finalizers");
    cluster
        .at("/metadata/finalizers")
        .valueStream()
        .filter(it -> !it.asText().equals(Finalizers.MULTI_KUEUE_CLEANUP))
        .forEach(kept::add);
    return patch;
  }

  /** The metadata of a patch that is refused if the object has changed meanwhile. */
  private static ObjectNode version(ObjectNode patch, JsonNode object) {
    return patch
        .putObject("metadata")
        .put("resourceVersion", object.at("/metadata/resourceVersion").asText());
  }

  private Answer hand(String path, JsonNode workload) {
    ObjectNode status = workload.path("status").deepCopy();
    JsonNode reclaimable = status.remove(RECLAIMABLE);
    Answer answer = caller.apply(path + "/status", ADMISSION, applied(workload, status));
    if (answer.isSuccess() && reclaimable != null) {
      ObjectNode rest = JsonNodeFactory.instance.objectNode().set(RECLAIMABLE, reclaimable);
      answer = caller.apply(path + "/status", RECLAIMABLE_MANAGER, applied(answer.json(), rest));
    }
    return answer.isSuccess()
        ? caller.patchOnce(path + MANAGER, owners(answer.json()).toString())
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
    ArrayNode owners = version(patch, workload).putArray("managedFields");
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
