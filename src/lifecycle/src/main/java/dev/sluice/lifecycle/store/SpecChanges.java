package dev.sluice.lifecycle.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectChange;

/** Tells changes that users make from those of the status. */
public final class SpecChanges {
  private SpecChanges() {}

  /** Whether the object was created, deleted, is now being deleted, or has another spec. */
  public static boolean isOne(ObjectChange change) {
    if (change.before().isEmpty() || change.after().isEmpty()) {
      return true;
    }
    JsonNode before = change.before().get();
    JsonNode after = change.after().get();
    return !before.path("spec").equals(after.path("spec"))
        || before.path("metadata").has("deletionTimestamp")
            != after.path("metadata").has("deletionTimestamp");
  }
}
