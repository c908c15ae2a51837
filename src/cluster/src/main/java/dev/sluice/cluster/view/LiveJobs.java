package dev.sluice.cluster.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.cluster.api.ConnectionException.Reason;
import dev.sluice.rules.view.JobSource;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the API server for a Job, its pods and the Job, in one bound of time. Thread-safe. */
public final class LiveJobs implements JobSource {
  private static final Logger LOG = LoggerFactory.getLogger(LiveJobs.class);
  private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";

  /** A Job with more pods than this is not read, so nothing is known then. */
  private static final int MAX_PODS = 5_000;

  private static final ObjectMapper MAPPER = new JsonMapper();

  private final Connection connection;

  /** Asks over this connection. */
  public LiveJobs(Connection connection) {
    this.connection = connection;
  }

  @Override
  public Optional<JobWithPods> read(String namespace, String job, String uid, Duration bound) {
    long end = System.nanoTime() + bound.toNanos();
    try {
      JsonNode found = job(namespace, job, left(end));
      if (!found.path("metadata").path("uid").asText().equals(uid)) {
        return Optional.of(gone());
      }
      Optional<List<JsonNode>> pods = pods(namespace, uid, left(end));
      if (pods.isEmpty()) {
        return Optional.empty();
      }
      JsonNode after = job(namespace, job, left(end));
      boolean same = after.path("metadata").path("uid").asText().equals(uid);
      return Optional.of(same ? new JobWithPods(found, pods.get(), after) : gone());
    } catch (ConnectionException e) {
      if (e.reason() == Reason.NOT_SERVED) {
        return Optional.of(gone());
      }
      LOG.debug("Job {}/{} could not be looked up: {}", namespace, job, e.getMessage());
      return Optional.empty();
    }
  }

  private static JobWithPods gone() {
    return new JobWithPods(MAPPER.createObjectNode(), List.of(), MAPPER.createObjectNode());
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
  }

  private JsonNode job(String namespace, String name, Duration bound) {
    return json(
        "/apis/batch/v1/namespaces/" + encoded(namespace) + "/jobs/" + encoded(name), bound);
  }

  /** By label, which every pod of a Job has; of those the ones that the Job controls. */
  private Optional<List<JsonNode>> pods(String namespace, String uid, Duration bound) {
    JsonNode list =
        json(
            "/api/v1/namespaces/%s/pods?limit=%d&labelSelector=%s"
                .formatted(encoded(namespace), MAX_PODS, encoded(UID_LABEL + "=" + uid)),
            bound);
    if (!list.path("metadata").path("continue").asText().isEmpty()) {
      return Optional.empty();
    }
    List<JsonNode> pods = new ArrayList<>();
    for (JsonNode pod : list.path("items")) {
      if (ObjectStore.owner(pod).equals(uid)) {
        pods.add(pod);
      }
    }
    return Optional.of(pods);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private JsonNode json(String path, Duration bound) {
    byte[] body = connection.get(path, Connection.JSON, bound);
    try {
      return MAPPER.readTree(body);
    } catch (IOException e) {
      throw Connection.unreadable(e);
    }
  }
}
