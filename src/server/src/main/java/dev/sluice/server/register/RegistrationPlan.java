package dev.sluice.server.register;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What to do about one webhook configuration of the cluster, given what is there. Pure.
 *
 * <p>A webhook with {@code failurePolicy: Fail} without a server refuses every write it is asked
 * about. So a configuration that is missing, new or deleted, comes back on trial: each of its
 * webhooks has {@code Ignore}. Once the API server has reached the server, which only the API
 * server's own call can show, they get the policy that is meant. A configuration that is effective
 * is never put on trial again, except by deleting it.
 *
 * @param found the phase in which the configuration was
 * @param apply what to apply, whole; empty if all of it is there
 * @param stale the names of webhooks that are there and do not belong there
 */
record RegistrationPlan(Phase found, Optional<ObjectNode> apply, List<String> stale) {

  /** How far a registration has come. */
  enum Phase {
    /** There is none, or it has no webhook of ours. */
    ABSENT,
    /** The webhooks are asked, and what they do not answer is let through. */
    TRIAL,
    /** As it is meant to be. */
    EFFECTIVE
  }

  private static final String POLICY = "failurePolicy";
  private static final String IGNORE = "Ignore";

  RegistrationPlan {
    stale = List.copyOf(stale);
  }

  /**
   * Plans.
   *
   * @param desired the configuration as it is meant to be, CA bundles and owner included; a copy of
   *     it is changed
   * @param live what is in the cluster; a missing node if there is none
   * @param reached whether the API server has called the server since the trial began
   */
  static RegistrationPlan of(ObjectNode desired, JsonNode live, boolean reached) {
    Map<String, JsonNode> found = byName(live);
    Phase phase = phase(desired, found);
    ObjectNode document = desired.deepCopy();
    if (phase == Phase.ABSENT || (phase == Phase.TRIAL && !reached)) {
      document.path("webhooks").forEach(webhook -> ((ObjectNode) webhook).put(POLICY, IGNORE));
    }
    Map<String, JsonNode> wanted = byName(document);
    boolean isThere =
        holds(live.path("metadata"), document.path("metadata"))
            && wanted.entrySet().stream()
                .allMatch(it -> holds(found.get(it.getKey()), it.getValue()));
    List<String> stale = new ArrayList<>();
    live.path("webhooks")
        .forEach(
            webhook -> {
              if (!wanted.containsKey(name(webhook))) {
                stale.add(name(webhook));
              }
            });
    return new RegistrationPlan(phase, isThere ? Optional.empty() : Optional.of(document), stale);
  }

  private static Phase phase(ObjectNode desired, Map<String, JsonNode> found) {
    Phase phase = Phase.ABSENT;
    for (JsonNode webhook : desired.path("webhooks")) {
      JsonNode there = found.get(name(webhook));
      if (there != null) {
        if (!isIgnored(webhook) && isIgnored(there)) {
          return Phase.TRIAL;
        }
        phase = Phase.EFFECTIVE;
      }
    }
    return phase;
  }

  private static boolean isIgnored(JsonNode webhook) {
    return webhook.path(POLICY).asText().equals(IGNORE);
  }

  private static Map<String, JsonNode> byName(JsonNode configuration) {
    Map<String, JsonNode> webhooks = new HashMap<>();
    configuration.path("webhooks").forEach(webhook -> webhooks.put(name(webhook), webhook));
    return webhooks;
  }

  private static String name(JsonNode webhook) {
    return webhook.path("name").asText();
  }

  /** Whether all that is wanted is there; the API server adds defaults of its own. */
  private static boolean holds(@Nullable JsonNode there, JsonNode wanted) {
    if (there == null) {
      return false;
    }
    if (wanted.isObject()) {
      return wanted
          .propertyStream()
          .allMatch(field -> holds(there.get(field.getKey()), field.getValue()));
    }
    if (!wanted.isArray()) {
      return there.equals(wanted) || there.asText().equals(wanted.asText());
    }
    if (there.size() != wanted.size()) {
      return false;
    }
    for (int i = 0; i < wanted.size(); i++) {
      if (!holds(there.get(i), wanted.get(i))) {
        return false;
      }
    }
    return true;
  }
}
