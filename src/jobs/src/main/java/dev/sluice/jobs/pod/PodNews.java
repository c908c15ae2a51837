package dev.sluice.jobs.pod;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.jobs.object.Members;
import java.util.List;

/**
 * Which changes of Pods no plan can tell apart from none. A Pod that starts is written by the
 * scheduler that binds it and several times by its kubelet, and of all that plans read only its
 * phase and a few conditions.
 */
public final class PodNews {
  /** It says where the Pod is. */
  private static final List<String> UNREAD_SPEC = List.of("nodeName");

  private static final List<String> STATUS = List.of("phase", "reason", "message");
  private static final List<String> CONDITIONS =
      List.of("Ready", Pods.TERMINATION_TARGET, Pods.DISRUPTION_TARGET);

  private PodNews() {}

  /** Whether a plan may differ after this change of a Pod. */
  public static boolean isNews(ObjectChange change) {
    if (change.before().isEmpty() || change.after().isEmpty()) {
      return true;
    }
    JsonNode before = change.before().get();
    JsonNode after = change.after().get();
    return !Members.areSame(before.path("metadata"), after.path("metadata"), Members.OF_A_WRITE)
        || !Members.areSame(before.path("spec"), after.path("spec"), UNREAD_SPEC)
        || !isSameStatus(before, after);
  }

  private static boolean isSameStatus(JsonNode before, JsonNode after) {
    return STATUS.stream()
            .allMatch(it -> before.path("status").path(it).equals(after.path("status").path(it)))
        && CONDITIONS.stream()
            .allMatch(it -> Conditions.isTrue(before, it) == Conditions.isTrue(after, it));
  }
}
