package dev.sluice.cli.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.webhook.guard.JobSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks Jobs and their pods up at the API server: two calls, the Job's first. */
public final class ApiServerJobs implements JobSource {
  private static final Logger LOG = LoggerFactory.getLogger(ApiServerJobs.class);

  /** More pods than a Job could sensibly have are not looked at, so nothing is known then. */
  private static final int MAX_PODS = 5_000;

  private final ApiServer apiServer;

  /** Asks this API server. */
  public ApiServerJobs(ApiServer apiServer) {
    this.apiServer = apiServer;
  }

  @Override
  public Optional<JobWithPods> read(String namespace, String job, String uid, Duration bound) {
    long end = System.nanoTime() + bound.toNanos();
    try {
      Answer found =
          apiServer.send(
              Call.get("/apis/batch/v1/namespaces/%s/jobs/%s".formatted(namespace, job), bound));
      if (found.status() == 404 || (found.status() == 200 && !hasUid(found.json(), uid))) {
        return Optional.of(new JobWithPods(JsonNodeFactory.instance.objectNode(), List.of()));
      }
      Duration left = Duration.ofNanos(end - System.nanoTime());
      return found.status() == 200 && left.isPositive()
          ? pods(namespace, uid, left).map(pods -> new JobWithPods(found.json(), pods))
          : Optional.empty();
    } catch (ClusterException e) {
      LOG.debug("a Job could not be looked up: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static boolean hasUid(JsonNode object, String uid) {
    return object.at("/metadata/uid").asText().equals(uid);
  }

  /** By label, which every pod of a Job has; of those the ones that the Job controls. */
  private Optional<List<JsonNode>> pods(String namespace, String uid, Duration bound) {
    Answer answer =
        apiServer.send(
            Call.get(
                "/api/v1/namespaces/%s/pods?limit=%d&labelSelector=batch.kubernetes.io/controller-uid%%3D%s"
                    .formatted(namespace, MAX_PODS, uid),
                bound));
    JsonNode list = answer.json();
    if (answer.status() != 200 || !list.at("/metadata/continue").asText().isEmpty()) {
      return Optional.empty();
    }
    var pods = new ArrayList<JsonNode>();
    for (JsonNode pod : list.path("items")) {
      for (JsonNode owner : pod.path("metadata").path("ownerReferences")) {
        if (owner.path("controller").asBoolean() && owner.path("uid").asText().equals(uid)) {
          pods.add(pod);
        }
      }
    }
    return Optional.of(pods);
  }
}
