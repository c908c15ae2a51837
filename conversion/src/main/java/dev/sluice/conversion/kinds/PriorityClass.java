package dev.sluice.conversion.kinds;

import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.step.FieldConversion;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The priority class of a Workload: a name and where it comes from at v1beta1, a reference at
 * v1beta2. The empty source, which v1beta1 writes by default, and no reference are each other's
 * image.
 */
final class PriorityClass {
  private static final String NAME = "priorityClassName";
  private static final String SOURCE = "priorityClassSource";
  private static final String REF = "priorityClassRef";

  static final FieldConversion MATTER =
      new FieldConversion(
          "priorityClass",
          List.of("spec"),
          List.of(NAME, SOURCE, REF),
          PriorityClass::up,
          PriorityClass::down,
          false);

  /** The places a priority class can come from. */
  private enum Origin {
    KUEUE(ApiVersion.GROUP + "/workloadpriorityclass", ApiVersion.GROUP, "WorkloadPriorityClass"),
    KUBERNETES("scheduling.k8s.io/priorityclass", "scheduling.k8s.io", "PriorityClass");

    private final String source;
    private final String group;
    private final String kind;

    Origin(String source, String group, String kind) {
      this.source = source;
      this.group = group;
      this.kind = kind;
    }
  }

  private PriorityClass() {}

  private static JsonObject up(JsonObject value) {
    if (value.has(REF) && !value.has(NAME) && !value.has(SOURCE)) {
      return value; // a key of the target's that strayed in: it stays
    }
    JsonObject mapped = new JsonObject();
    Json name = value.get(NAME);
    for (Origin origin : Origin.values()) {
      if (name != null && isName(value.text(NAME)) && origin.source.equals(value.text(SOURCE))) {
        JsonObject ref = new JsonObject();
        ref.put("group", JsonSlice.text(origin.group));
        ref.put("kind", JsonSlice.text(origin.kind));
        ref.put("name", name);
        mapped.put(REF, ref);
      }
    }
    return mapped;
  }

  private static JsonObject down(JsonObject value) {
    if (!value.has(REF) && (value.has(NAME) || value.has(SOURCE))) {
      return value; // keys of the target's that strayed in: they stay
    }
    JsonObject ref = value.object(REF);
    Json name = ref == null ? null : ref.get("name");
    JsonObject mapped = new JsonObject();
    for (Origin origin : Origin.values()) {
      if (ref != null
          && name != null
          && isName(ref.text("name"))
          && origin.group.equals(ref.text("group"))
          && origin.kind.equals(ref.text("kind"))) {
        mapped.put(NAME, name);
        mapped.put(SOURCE, JsonSlice.text(origin.source));
        return mapped;
      }
    }
    mapped.put(SOURCE, JsonSlice.text(""));
    return mapped;
  }

  private static boolean isName(@Nullable String text) {
    return text != null && !text.isEmpty();
  }
}
