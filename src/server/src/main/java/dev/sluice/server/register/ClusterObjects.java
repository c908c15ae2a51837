package dev.sluice.server.register;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.Connection.Answer;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.cluster.api.ConnectionException.Reason;
import java.io.IOException;
import java.time.Duration;

/** Reads and writes single objects of the cluster. Every call has a bound. */
final class ClusterObjects {
  private static final String APPLY = "application/apply-patch+yaml"; // JSON is YAML
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final int CONFLICT = 409;
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new JsonMapper();

  private final Connection cluster;
  private final String fieldManager;

  /**
   * Objects of a cluster.
   *
   * @param fieldManager who owns what is applied
   */
  ClusterObjects(Connection cluster, String fieldManager) {
    this.cluster = cluster;
    this.fieldManager = fieldManager;
  }

  /** The object; a missing node if it is not there. */
  JsonNode get(String path) {
    try {
      return JSON.readTree(cluster.get(path, Connection.JSON, BOUND));
    } catch (ConnectionException e) {
      if (e.reason() == Reason.NOT_SERVED) {
        return MissingNode.getInstance();
      }
      throw e;
    } catch (IOException e) {
      throw Connection.unreadable(e);
    }
  }

  /**
   * Applies these fields, and takes them over from others.
   *
   * @param version the resourceVersion of the object that they were chosen for: if another one is
   *     stored by now, nothing is written; empty if there was none
   * @return whether it was written
   */
  boolean apply(String path, ObjectNode fields, String version) {
    ObjectNode body = fields.deepCopy();
    if (!version.isEmpty()) {
      ((ObjectNode) body.path("metadata")).put("resourceVersion", version);
    }
    return send(path + "?force=true&fieldManager=" + fieldManager, APPLY, body.toString());
  }

  /**
   * Creates an object. By an apply, which asks only for rights to an object of that name.
   *
   * @return whether it was created; not if another manager was first with other fields
   */
  boolean create(String path, ObjectNode object) {
    return send(path + "?fieldManager=" + fieldManager, APPLY, object.toString());
  }

  /**
   * Changes the object by a JSON patch.
   *
   * @return whether it was written; not if one of its tests failed
   */
  boolean patch(String path, JsonNode operations) {
    return send(path, JSON_PATCH, operations.toString());
  }

  /** Another writer was first: the next round sees what it wrote. */
  private boolean send(String path, String type, String body) {
    Answer answer = cluster.send("PATCH", path, type, body.getBytes(UTF_8), BOUND);
    if (answer.status() == CONFLICT) {
      return false;
    }
    if (!answer.isSuccess()) {
      throw Connection.refusal(answer.status(), answer.message());
    }
    return true;
  }
}
