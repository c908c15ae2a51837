package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Messages;
import dev.sluice.jobs.plan.Patches;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The conditions of an object: those it has, with some that we set. One thread. */
public final class Conditions {
  private final ArrayNode list;
  private final JsonNode object;
  private final Instant now;

  private Conditions(JsonNode object, ArrayNode list, Instant now) {
    this.object = object;
    this.list = list;
    this.now = now;
  }

  /** The conditions of that object. */
  public static Conditions of(JsonNode object, Instant now) {
    JsonNode there = object.path("status").path("conditions");
    ArrayNode copy = JsonNodeFactory.instance.arrayNode();
    there.forEach(it -> copy.add(it.deepCopy()));
    return new Conditions(object, copy, now);
  }

  /** The condition of that type. */
  public static Optional<JsonNode> find(JsonNode object, String type) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
  }

  /** Whether the condition of that type is True. */
  public static boolean isTrue(JsonNode object, String type) {
    return find(object, type).filter(it -> it.path("status").asText().equals("True")).isPresent();
  }

  /** The moment at which they are set. */
  Instant now() {
    return now;
  }

  /** Sets a condition; since when it holds changes only with its status. */
  public Conditions set(String type, boolean status, String reason, String message) {
    ObjectNode condition = entry(type);
    String value = status ? "True" : "False";
    if (!condition.path("status").asText().equals(value)) {
      condition.put("lastTransitionTime", time(now));
    }
    condition
        .put("status", value)
        .put("reason", reason)
        .put("message", Messages.cut(message))
        .put("observedGeneration", object.path("metadata").path("generation").asLong());
    return this;
  }

  private ObjectNode entry(String type) {
    for (JsonNode condition : list) {
      if (condition.path("type").asText().equals(type) && condition instanceof ObjectNode there) {
        return there;
      }
    }
    return list.addObject().put("type", type);
  }

  /** The status that holds nothing but these conditions. */
  public ObjectNode status() {
    ObjectNode status = Patches.object();
    status.set("conditions", list);
    return status;
  }

  /** A time as Kubernetes writes it. */
  public static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
