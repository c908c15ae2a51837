package dev.sluice.conversion.kinds;

import dev.sluice.conversion.step.ListItemConversion;
import dev.sluice.conversion.step.Mapping;
import dev.sluice.conversion.step.Work;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the pods of a Workload were placed: domains one by one at v1beta1, compressed slices at
 * v1beta2. What cannot be read becomes an assignment without domains, which places nothing, and is
 * noted whole.
 */
final class TopologyAssignment {
  static final List<String> LIST = List.of("status", "admission", "podSetAssignments");
  static final String PARENT = "topologyAssignment";

  private static final String LEVELS = "levels";
  private static final String DOMAINS = "domains";
  private static final String SLICES = "slices";

  static final ListItemConversion MATTER =
      new ListItemConversion(
          PARENT,
          LIST,
          PARENT,
          List.of(LEVELS, DOMAINS, SLICES),
          new Worked(TopologyAssignment::up),
          new Worked(TopologyAssignment::down),
          new FormShorthand());

  private TopologyAssignment() {}

  /** A mapping whose result can be far larger than its argument. */
  private record Worked(Worker worker) implements Mapping {
    @Override
    public JsonObject map(JsonObject value) {
      return worker.map(value, Work.unbounded());
    }

    @Override
    public JsonObject map(JsonObject value, Work work) {
      return worker.map(value, work);
    }
  }

  @FunctionalInterface
  private interface Worker {
    JsonObject map(JsonObject value, Work work);
  }

  private static JsonObject up(JsonObject value, Work work) {
    Json stray = value.get(SLICES);
    if (stray != null && !value.has(DOMAINS)) {
      return of(value.get(LEVELS), SLICES, stray);
    }
    try {
      return of(value.get(LEVELS), SLICES, Slices.write(Domains.readList(value, work)));
    } catch (Unreadable e) {
      return of(value.get(LEVELS), SLICES, new JsonArray());
    }
  }

  private static JsonObject down(JsonObject value, Work work) {
    Json stray = value.get(DOMAINS);
    if (stray != null && !value.has(SLICES)) {
      return of(value.get(LEVELS), DOMAINS, stray);
    }
    try {
      return of(value.get(LEVELS), DOMAINS, Slices.read(value, work).writeList(work));
    } catch (Unreadable e) {
      return of(value.get(LEVELS), DOMAINS, new JsonArray());
    }
  }

  /** An assignment with these levels, if there are any, and the other key. */
  static JsonObject of(@Nullable Json levels, String key, Json value) {
    JsonObject assignment = new JsonObject();
    if (levels != null) {
      assignment.put(LEVELS, levels);
    }
    assignment.put(key, value);
    return assignment;
  }
}
