package dev.sluice.conversion.kinds;

import dev.sluice.conversion.step.ConversionContext;
import dev.sluice.conversion.step.ConversionWarning;
import dev.sluice.conversion.step.ConversionWarning.Reason;
import dev.sluice.conversion.step.Description;
import dev.sluice.conversion.step.Difference;
import dev.sluice.conversion.step.Direction;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The levels of a Topology, wherever they stand.
 *
 * <p>Kueue 0.11.0 to 0.11.2 served by mistake a v1beta1 whose Topology had {@code name} and {@code
 * levels} (plain strings) at the root and no spec. Manifests of that shape are still around, and so
 * are objects that lost their levels to it. Levels that stand only at the root go to {@code
 * spec.levels}, for good: taking them back would lose them to pruning. Where both places have
 * levels, the spec is right; root levels that say something else are noted and return.
 */
final class RootLevels implements Difference {
  private static final String ENTRY = "rootLevels";
  private static final String LEVELS = "levels";
  private static final String NAME = "name";
  private static final String NODE_LABEL = "nodeLabel";
  private static final String FIELD = "spec.levels";

  @Override
  public void convert(JsonObject root, Direction direction, ConversionContext context) {
    JsonObject kept = kept(context);
    List<String> rootLabels = strings(root.array(LEVELS));
    if (rootLabels == null) {
      restore(kept, root);
    } else if (specIsUnfilled(root)) {
      repair(root, rootLabels, context);
    } else if (rootLabels.equals(specLabels(root))) {
      drop(root);
    } else {
      setAside(root, context);
    }
    warnOfSpec(root, context);
  }

  @Override
  public Optional<Description> description() {
    return Optional.of(
        new Description(ENTRY, "", List.of(LEVELS, NAME), Description.REBUILT, false));
  }

  /** The strings of a list of at least one string and nothing else; otherwise null. */
  private static @Nullable List<String> strings(@Nullable JsonArray list) {
    if (list == null || list.size() == 0) {
      return null;
    }
    List<String> strings = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      String text = list.get(i) instanceof JsonSlice slice ? slice.text() : null;
      if (text == null) {
        return null;
      }
      strings.add(text);
    }
    return strings;
  }

  /** Whether the spec is absent or null, or the list of levels in it absent, null or empty. */
  private static boolean specIsUnfilled(JsonObject root) {
    Json spec = root.open("spec");
    if (isNothing(spec)) {
      return true;
    }
    if (!(spec instanceof JsonObject object)) {
      return false; // a spec of a wrong type is not ours to replace
    }
    Json levels = object.open(LEVELS);
    return isNothing(levels) || (levels instanceof JsonArray list && list.size() == 0);
  }

  private static boolean isNothing(@Nullable Json value) {
    return value == null || value.type() == Json.Type.NULL;
  }

  /** The labels of the spec's levels if all is as it should be, otherwise null. */
  private static @Nullable List<String> specLabels(JsonObject root) {
    JsonArray levels = specLevels(root);
    if (levels == null) {
      return null;
    }
    List<String> labels = new ArrayList<>(levels.size());
    for (int i = 0; i < levels.size(); i++) {
      String label = labelAt(levels, i);
      if (label == null) {
        return null;
      }
      labels.add(label);
    }
    return labels;
  }

  private static @Nullable JsonArray specLevels(JsonObject root) {
    JsonObject spec = root.object("spec");
    return spec == null ? null : spec.array(LEVELS);
  }

  private static @Nullable String labelAt(JsonArray levels, int index) {
    return levels.get(index).opened() instanceof JsonObject level ? level.text(NODE_LABEL) : null;
  }

  private static @Nullable JsonObject kept(ConversionContext context) {
    Json entry = context.kept(ENTRY, false);
    if (entry == null) {
      return null;
    }
    if (entry.opened() instanceof JsonObject value && isOurs(value)) {
      return value;
    }
    context.ignored(ENTRY);
    return null;
  }

  /** Puts back what was set aside, if it would be set aside again. */
  private static void restore(@Nullable JsonObject kept, JsonObject root) {
    if (kept == null || root.has(LEVELS) || root.has(NAME) || specIsUnfilled(root)) {
      return;
    }
    if (!Objects.equals(strings(kept.array(LEVELS)), specLabels(root))) {
      for (int i = 0; i < kept.size(); i++) {
        root.putSorted(kept.keyAt(i), kept.valueAt(i));
      }
    }
  }

  private static boolean isOurs(JsonObject value) {
    int known = (value.has(LEVELS) ? 1 : 0) + (value.has(NAME) ? 1 : 0);
    return value.size() == known && strings(value.array(LEVELS)) != null;
  }

  private static void repair(JsonObject root, List<String> labels, ConversionContext context) {
    JsonArray levels = new JsonArray();
    for (String label : labels) {
      JsonObject level = new JsonObject();
      level.put(NODE_LABEL, JsonSlice.text(label));
      levels.add(level);
    }
    drop(root);
    JsonObject spec = root.object("spec");
    if (spec == null) {
      spec = new JsonObject();
      root.putSorted("spec", spec);
    }
    spec.putSorted(LEVELS, levels);
    context.warn(
        new ConversionWarning(Reason.LEVELS_REPAIRED, FIELD, "moved here from levels at the root"));
  }

  private static void setAside(JsonObject root, ConversionContext context) {
    JsonObject aside = new JsonObject();
    for (String key : List.of(LEVELS, NAME)) {
      Json value = root.get(key);
      if (value != null) {
        aside.put(key, value);
      }
    }
    drop(root);
    context.note(ENTRY, aside, false);
    String detail = "differs from levels at the root, which is the shape of Kueue 0.11.0-0.11.2";
    context.warn(new ConversionWarning(Reason.LEVELS_CONTRADICT, FIELD, detail));
    if (context.mode() == Mode.FAIL) {
      context.refuse(FIELD, detail + " (expected: levels at one place only)");
    }
  }

  private static void drop(JsonObject root) {
    root.remove(LEVELS);
    root.remove(NAME);
  }

  private static void warnOfSpec(JsonObject root, ConversionContext context) {
    if (specIsUnfilled(root)) {
      suspect(
          context,
          Reason.LEVELS_MISSING,
          FIELD,
          "at least one level is required (an object like this may stem from Kueue 0.11.0-0.11.2);"
              + " give it levels or delete it");
      return;
    }
    JsonArray levels = specLevels(root);
    if (levels == null) {
      boolean specIsObject = root.object("spec") != null;
      suspect(
          context,
          Reason.LEVELS_MALFORMED,
          specIsObject ? FIELD : "spec",
          specIsObject ? "is not a list (expected: a list of levels)" : "is not an object");
      return;
    }
    for (int i = 0; i < levels.size(); i++) {
      if (labelAt(levels, i) == null) {
        suspect(
            context,
            Reason.LEVELS_MALFORMED,
            FIELD + "[" + i + "]" + (levels.get(i).type() == Json.Type.OBJECT ? ".nodeLabel" : ""),
            "is %s (expected: an object with a string nodeLabel)".formatted(found(levels.get(i))));
        return;
      }
    }
  }

  private static String found(Json level) {
    if (!(level.opened() instanceof JsonObject object)) {
      return level.type().words();
    }
    Json label = object.get(NODE_LABEL);
    return label == null ? "absent" : label.type().words();
  }

  private static void suspect(
      ConversionContext context, Reason reason, String field, String detail) {
    context.warn(new ConversionWarning(reason, field, detail));
    if (context.mode() == Mode.FAIL) {
      context.refuse(field, detail);
    }
  }
}
