package dev.sluice.webhook.rules.flavor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.rules.Field;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.SameValue;
import dev.sluice.rules.ValidationResult;
import java.util.List;

/** Finds the Workloads that a change of the node selection affects. */
final class FlavorUse {
  private static final int MAX_SHOWN = 5;

  private FlavorUse() {}

  static void warnOfChange(RuleInput input, ValidationResult findings) {
    Field spec = input.root().child("spec");
    for (String member : List.of("nodeLabels", "topologyName")) {
      boolean changed =
          input
              .oldRoot()
              .map(old -> old.child("spec").child(member).node())
              .filter(old -> !SameValue.of(old, spec.child(member).node()))
              .isPresent();
      List<String> queues = changed ? queuesInUse(input) : List.of();
      if (!queues.isEmpty()) {
        findings.warn(
            "spec.%s: what runs on this flavor by ClusterQueue %s keeps its nodes"
                .formatted(member, String.join(", ", queues)));
      }
    }
  }

  private static List<String> queuesInUse(RuleInput input) {
    String flavor = input.name().orElse("");
    return input.world().view().list(ApiKind.CLUSTER_QUEUE.groupKind(), "").stream()
        .filter(queue -> isUsed(queue, flavor))
        .limit(MAX_SHOWN)
        .map(queue -> queue.path("metadata").path("name").asText())
        .toList();
  }

  private static boolean isUsed(JsonNode queue, String flavor) {
    for (JsonNode used : queue.path("status").path("flavorsReservation")) {
      if (used.path("name").asText().equals(flavor)) {
        for (JsonNode resource : used.path("resources")) {
          if (Field.root(resource.path("total"))
              .quantity()
              .filter(it -> it.signum() > 0)
              .isPresent()) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
