package dev.sluice.jobs.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.MergePatch;
import dev.sluice.jobs.plan.Patches;

/**
 * The part of a remote status that the local job gets.
 *
 * @param patch the change of the local status, as a merge patch; empty for none
 * @param isWhole whether the local status says all that the remote one says after it; if not, it
 *     can only after the local job has changed
 */
public record Mirror(ObjectNode patch, boolean isWhole) {
  /** Nothing is written, and nothing is missing. */
  public static final Mirror NOTHING = new Mirror(Patches.object(), true);

  /** Replaces the local status by that one. */
  public static Mirror whole(JsonNode local, JsonNode status) {
    return new Mirror(difference(local, status), true);
  }

  /** Replaces the local status by that one until the rest can be written. */
  public static Mirror partial(JsonNode local, JsonNode status) {
    return new Mirror(difference(local, status), false);
  }

  private static ObjectNode difference(JsonNode local, JsonNode status) {
    JsonNode before = local.path("status");
    JsonNode after = status.isObject() ? status : Patches.object();
    return MergePatch.between(before.isObject() ? before : Patches.object(), after);
  }
}
