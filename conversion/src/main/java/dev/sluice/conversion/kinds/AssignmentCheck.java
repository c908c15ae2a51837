package dev.sluice.conversion.kinds;

import dev.sluice.conversion.json.JsonArray;
import dev.sluice.conversion.json.JsonObject;
import dev.sluice.conversion.law.Difference;
import dev.sluice.conversion.law.Direction;
import dev.sluice.conversion.law.Exchange;
import dev.sluice.conversion.law.Mode;
import dev.sluice.conversion.law.Remark;
import org.jspecify.annotations.Nullable;

/**
 * Says which topology assignments of a Workload cannot be read, or say more than is read; refuses
 * them where refusing is asked for. Converts nothing; it stands before the matter that does.
 */
final class AssignmentCheck implements Difference {
  @Override
  public void convert(JsonObject root, Direction direction, Exchange exchange) {
    JsonArray assignments = assignments(root);
    for (int i = 0; assignments != null && i < assignments.size(); i++) {
      JsonObject assignment =
          assignments.open(i) instanceof JsonObject item
              ? item.object(TopologyAssignment.PARENT)
              : null;
      if (assignment != null) {
        check(assignment, at(i), direction, exchange);
      }
    }
  }

  private static @Nullable JsonArray assignments(JsonObject root) {
    JsonObject status = root.object("status");
    JsonObject admission = status == null ? null : status.object("admission");
    return admission == null ? null : admission.array("podSetAssignments");
  }

  private static String at(int index) {
    return String.join(".", TopologyAssignment.LIST)
        + "["
        + index
        + "]."
        + TopologyAssignment.PARENT;
  }

  private static void check(
      JsonObject assignment, String path, Direction direction, Exchange exchange) {
    try {
      Domains domains =
          direction == Direction.UP ? Domains.readList(assignment) : Slices.read(assignment);
      if (domains.surplus() != null) {
        say(exchange, path + "." + domains.surplus(), "says more than the domains it stands for");
      }
    } catch (Unreadable e) {
      say(exchange, path + "." + e.path(), e.sentence());
    }
  }

  private static void say(Exchange exchange, String field, String sentence) {
    exchange.remark(new Remark(Remark.Reason.ASSIGNMENT_MALFORMED, field, sentence));
    if (exchange.mode() == Mode.FAIL) {
      exchange.refuse(field, sentence);
    }
  }
}
