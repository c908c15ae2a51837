package dev.sluice.conversion.step;

import static dev.sluice.conversion.Texts.json;
import static dev.sluice.conversion.Texts.value;
import static dev.sluice.conversion.Texts.written;

import dev.sluice.json.JsonObject;
import java.util.LinkedHashSet;
import java.util.Set;

/** An object that was taken over a step, and what was said about it. */
record Taken(String object, Set<ConversionWarning> warnings, Set<Refusal> refusals) {

  /** Takes an object, written with single or double quotes, over the step. */
  static Taken over(VersionStep step, Direction direction, Mode mode, String object) {
    JsonObject root = (JsonObject) value(json(object)).opened();
    Set<ConversionWarning> warnings = new LinkedHashSet<>();
    Set<Refusal> refusals = new LinkedHashSet<>();
    step.convert(root, direction, mode, warnings, refusals);
    return new Taken(written(root), warnings, refusals);
  }

  static Taken up(VersionStep step, String object) {
    return over(step, Direction.UP, Mode.CARRY, object);
  }

  static Taken down(VersionStep step, String object) {
    return over(step, Direction.DOWN, Mode.CARRY, object);
  }
}
