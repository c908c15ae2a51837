package dev.sluice.conversion;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
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
   * @param kind its kind
   * @param from the version it came in
   * @param name {@code namespace/name}, or the name alone, for logs; empty if it has none
   * @param warnings what a person should know of it
   */
  record Converted(
      Json object, ApiKind kind, ApiVersion from, String name, Set<ConversionWarning> warnings)
      implements Outcome {}

  /**
   * The object is not converted.
   *
   * @param kind its kind, if that is one of ours
   * @param from the version it came in, if the kind has it
   * @param message one sentence or several that name object, field and what was expected
   */
  record Refused(@Nullable ApiKind kind, @Nullable ApiVersion from, String message)
      implements Outcome {}
}
