package dev.sluice.scheduler.lead;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.Connection.Answer;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.scheduler.write.Paths;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The Lease object in the API server. */
final class Lease {
  private static final GroupVersionKind KIND =
      new GroupVersionKind("coordination.k8s.io", "v1", "Lease");
  private static final ObjectMapper JSON = new JsonMapper();
  private static final Duration BOUND = Duration.ofSeconds(4);
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final Connection connection;
  private final LeaseSettings settings;
  private final String collection;

  Lease(Connection connection, LeaseSettings settings) {
    this.connection = connection;
    this.settings = settings;
    this.collection = Paths.collection(KIND, settings.namespace());
  }

  /** The current Lease; empty if there has been no leader yet. */
  Optional<JsonNode> read() {
    try {
      return Optional.of(
          parsed(connection.get(collection + "/" + settings.name(), Connection.JSON, BOUND)));
    } catch (ConnectionException e) {
      if (e.reason() == ConnectionException.Reason.NOT_SERVED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  static String holder(JsonNode lease) {
    return lease.path("spec").path("holderIdentity").asText();
  }

  /** Takes or renews it, if it is still so; false if another was faster. */
  boolean hold(Optional<JsonNode> seen, Instant now) {
    boolean ours = seen.filter(l -> holder(l).equals(settings.identity())).isPresent();
    ObjectNode spec = JsonNodeFactory.instance.objectNode();
    int transitions = seen.map(l -> l.path("spec").path("leaseTransitions").asInt()).orElse(0);
    String since = seen.map(l -> l.path("spec").path("acquireTime").asText()).orElse("");
    spec.put("holderIdentity", settings.identity());
    spec.put("leaseDurationSeconds", Math.max(1, settings.duration().toSeconds()));
    spec.put("acquireTime", ours && !since.isEmpty() ? since : MICROS.format(now));
    spec.put("renewTime", MICROS.format(now));
    spec.put("leaseTransitions", ours || seen.isEmpty() ? transitions : transitions + 1);
    return write(seen, spec);
  }

  /** Lets it go, so that others need not wait; false if it has changed meanwhile. */
  boolean release(JsonNode seen, Instant now) {
    ObjectNode spec = seen.path("spec").deepCopy();
    spec.put("holderIdentity", "").put("leaseDurationSeconds", 1);
    spec.put("renewTime", MICROS.format(now));
    return write(Optional.of(seen), spec);
  }

  private boolean write(Optional<JsonNode> seen, ObjectNode spec) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", KIND.apiVersion()).put("kind", KIND.kind());
    ObjectNode metadata = body.putObject("metadata");
    metadata.put("name", settings.name()).put("namespace", settings.namespace());
    seen.ifPresent(
        lease ->
            metadata.put(
                "resourceVersion", lease.path("metadata").path("resourceVersion").asText()));
    RoleSettings role = settings.role();
    if (role != null) {
      metadata
          .putObject("annotations")
          .put(Annotations.SCHEDULED_JOB_KINDS, role.jobKindList())
          .put(Annotations.SCHEDULER_FEATURE_GATES, role.gateList());
    }
    body.set("spec", spec);
    byte[] bytes = body.toString().getBytes(UTF_8);
    Answer answer =
        seen.isEmpty()
            ? connection.send("POST", collection, Connection.JSON, bytes, BOUND)
            : connection.send(
                "PUT", collection + "/" + settings.name(), Connection.JSON, bytes, BOUND);
    if (answer.status() == 409) {
      return false;
    }
    if (!answer.isSuccess()) {
      throw Connection.refusal(answer.status(), answer.message());
    }
    return true;
  }

  private static JsonNode parsed(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw Connection.unreadable(e);
    }
  }
}
