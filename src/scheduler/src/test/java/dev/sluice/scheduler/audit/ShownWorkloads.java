package dev.sluice.scheduler.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.meta.ObjectKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Workloads that are shown, in a map that a test changes. */
public record ShownWorkloads(Map<ObjectKey, JsonNode> workloads) implements StoredAudit.Stored {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public boolean isKnown() {
    return true;
  }

  @Override
  public Collection<JsonNode> all() {
    return List.copyOf(workloads.values());
  }

  @Override
  public Optional<JsonNode> find(ObjectKey workload) {
    return Optional.ofNullable(workloads.get(workload));
  }

  static JsonNode workload(String name, String uid, String status) {
    try {
      return JSON.readTree(
          """
          {"metadata":{"name":"%s","namespace":"ns","uid":"%s"},"spec":{"queueName":"lq",
          "podSets":[{"name":"main","count":1,"template":{"spec":{"containers":[{"name":"c",
          "resources":{"requests":{"cpu":"1"}}}]}}}]},"status":{%s}}\
          """
              .formatted(name, uid, status));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(status, e);
    }
  }

  static String reserved() {
    return """
    "conditions":[{"type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"",
    "lastTransitionTime":"2026-01-01T12:00:00Z"}]\
    """;
  }

  static JsonNode contradictory(String name) {
    return workload(name, "u-" + name, reserved());
  }
}
