package dev.sluice.lifecycle.variant;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import java.util.List;

/** Deactivates and activates variants. */
final class Activity {
  private Activity() {}

  static List<Write> set(Workload parent, Workload variant, boolean active) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putObject("spec").put("active", active);
    String name = variant.metadata().name();
    return List.of(
        Variants.patch(variant, body),
        active
            ? Variants.event(parent, EventReasons.ACTIVATED_VARIANT, "Activated variant " + name)
            : Variants.event(
                parent, EventReasons.DEACTIVATED_VARIANT, "Deactivated variant " + name));
  }
}
