package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Changes trees of tests. */
public final class Trees {
  private Trees() {}

  public static void condition(ObjectNode object, String type, boolean value, String reason) {
    condition(object, type, value, reason, "", "2026-11-24T09:00:00Z");
  }

  static void condition(
      ObjectNode object, String type, boolean value, String reason, String message, String time) {
    var conditions = object.withObjectProperty("status").withArrayProperty("conditions");
    for (int i = 0; i < conditions.size(); i++) {
      if (conditions.get(i).path("type").asText().equals(type)) {
        conditions.remove(i);
        break;
      }
    }
    conditions
        .addObject()
        .put("type", type)
        .put("status", value ? "True" : "False")
        .put("reason", reason)
        .put("message", message)
        .put("lastTransitionTime", time);
  }
}
