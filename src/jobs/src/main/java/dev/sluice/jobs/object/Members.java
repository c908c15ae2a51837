package dev.sluice.jobs.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** Compares two states of an object without some of their members. */
public final class Members {
  /** What of the metadata changes with each write. */
  public static final List<String> OF_A_WRITE =
      List.of("resourceVersion", "generation", "managedFields");

  private static final List<String> APART = List.of("metadata", "status");

  private Members() {}

  /** Whether they differ only in their statuses. */
  public static boolean differInStatus(JsonNode before, JsonNode after) {
    return areSame(before.path("metadata"), after.path("metadata"), OF_A_WRITE)
        && areSame(before, after, APART);
  }

  /** Whether the two have equal members, apart from those with these names. */
  public static boolean areSame(JsonNode before, JsonNode after, List<String> unread) {
    if (size(before, unread) != size(after, unread)) {
      return false;
    }
    for (Map.Entry<String, JsonNode> member : before.properties()) {
      String name = member.getKey();
      if (!unread.contains(name) && !member.getValue().equals(after.get(name))) {
        return false;
      }
    }
    return true;
  }

  private static int size(JsonNode object, List<String> unread) {
    int size = object.size();
    for (String name : unread) {
      if (object.has(name)) {
        size--;
      }
    }
    return size;
  }
}
