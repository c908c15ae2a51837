package dev.sluice.conversion;

import dev.sluice.conversion.step.ConversionWarning;
import dev.sluice.json.Json;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The result of converting one object. */
public sealed interface Outcome {
  /**
   * The object at the version asked for.
   *
   * @param object the object; shares its unopened parts with the input
   * @param kind its kind, such as {@code Cohort}
   * @param from the version it came in, such as {@code v1beta1}
   * @param name {@code namespace/name}, or the name alone, for logs; empty if it has none
   * @param warnings what a person should know of it
   */
  record Converted(
      Json object, String kind, String from, String name, Set<ConversionWarning> warnings)
      implements Outcome {}

  /**
   * The object is not converted.
   *
   * @param kind its kind, if that is one of those that are converted
   * @param from the version it came in, if the kind has it
   * @param message one sentence or several that name object, field and what was expected
   */
  record Refused(@Nullable String kind, @Nullable String from, String message) implements Outcome {}
}
