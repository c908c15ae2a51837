package dev.sluice.api.meta;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads and replaces conditions by their type, in records and in JSON. JSON is the whole object, in
 * the form of the hub version; conditions of a wrong shape are not found.
 */
public final class Conditions {
  private static final String TRUE = ConditionStatus.TRUE.text();
  private static final String FALSE = ConditionStatus.FALSE.text();

  private Conditions() {}

  /** The condition of that type. */
  public static Optional<Condition> find(List<Condition> conditions, String type) {
    for (Condition condition : conditions) {
      if (condition.type().equals(type)) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
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
  public static boolean isTrue(List<Condition> conditions, String type) {
    for (Condition condition : conditions) {
      if (condition.type().equals(type)) {
        return condition.status() == ConditionStatus.TRUE;
      }
    }
    return false;
  }

  /** Whether the condition of that type is True. */
  public static boolean isTrue(JsonNode object, String type) {
    return find(object, type).filter(Conditions::isTrue).isPresent();
  }

  /** Whether the condition itself is True. */
  public static boolean isTrue(JsonNode condition) {
    return condition.path("status").asText().equals(TRUE);
  }

  /** Whether there is a condition of that type, and it is False. */
  public static boolean isFalse(JsonNode object, String type) {
    return find(object, type).filter(Conditions::isFalse).isPresent();
  }

  private static boolean isFalse(JsonNode condition) {
    return condition.path("status").asText().equals(FALSE);
  }

  /**
   * The conditions with this one in the place of the one of its type, or at the end. Where the
   * status stays the same, so does the time of the last transition.
   */
  public static List<Condition> with(List<Condition> conditions, Condition condition) {
    List<Condition> changed = new ArrayList<>(conditions);
    for (int i = 0; i < changed.size(); i++) {
      Condition old = changed.get(i);
      if (old.type().equals(condition.type())) {
        boolean isSame = old.status() == condition.status();
        changed.set(i, isSame ? condition.since(old.lastTransitionTime()) : condition);
        return changed;
      }
    }
    changed.add(condition);
    return changed;
  }
}
