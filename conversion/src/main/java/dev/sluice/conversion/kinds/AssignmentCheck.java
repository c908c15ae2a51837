package dev.sluice.conversion.kinds;

import dev.sluice.conversion.step.ConversionContext;
import dev.sluice.conversion.step.ConversionWarning;
import dev.sluice.conversion.step.Difference;
import dev.sluice.conversion.step.Direction;
import dev.sluice.conversion.step.Mode;
import dev.sluice.conversion.step.Work;
import dev.sluice.conversion.step.WorkStopped;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Says which topology assignments of a Workload cannot be read, or say more than is read; refuses
 * them where refusing is asked for. Converts nothing; it stands before the conversion that does.
 */
final class AssignmentCheck implements Difference {
  @Override
  public void convert(JsonObject root, Direction direction, ConversionContext context) {
    JsonArray assignments = assignments(root);
    for (int i = 0; assignments != null && i < assignments.size(); i++) {
      JsonObject assignment =
          assignments.open(i) instanceof JsonObject item
              ? item.object(TopologyAssignment.PARENT)
              : null;
      if (assignment != null) {
        check(assignment, i, direction, context);
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
      JsonObject assignment, int index, Direction direction, ConversionContext context) {
    Work work = context.work();
    try {
      String surplus =
          direction == Direction.UP
              ? Domains.surplus(assignment, work)
              : Expansion.of(assignment, work).surplus();
      if (surplus != null) {
        say(context, at(index) + "." + surplus, "says more than the domains it stands for");
      }
    } catch (Unreadable e) {
      say(context, at(index) + "." + e.path(), e.sentence());
    } catch (WorkStopped e) {
      throw e.at(at(index));
    }
  }

  private static void say(ConversionContext context, String field, String sentence) {
    context.warn(
        new ConversionWarning(ConversionWarning.Reason.ASSIGNMENT_MALFORMED, field, sentence));
    if (context.mode() == Mode.FAIL) {
      context.refuse(field, sentence);
    }
  }
}
