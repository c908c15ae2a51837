package dev.sluice.api.write;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.read.HubObjects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the write that gives an object of the group another status. */
public final class StatusWrite {
  private StatusWrite() {}

  /**
   * The patch of what differs; empty where nothing does.
   *
   * @param resourceVersion what the object must still be
   */
  public static Optional<Write> between(
      ObjectRef target,
      @Nullable String resourceVersion,
      Record before,
      Record after,
      String fieldManager) {
    if (before.equals(after)) {
      return Optional.empty(); // nearly always: writing both as JSON costs far more
    }
    ObjectNode difference = MergePatch.between(HubObjects.write(before), HubObjects.write(after));
    if (difference.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("status", difference);
    return Optional.of(new Write.MergePatch(target, "status", body, fieldManager, resourceVersion));
  }
}
