package dev.sluice.conversion.step;

import dev.sluice.json.JsonObject;
import java.util.Optional;

/** One thing in which two neighbouring versions of a kind differ. */
public interface Difference {
  /**
   * Converts this one thing in the object, in place, in the given direction; what cannot be said on
   * the other side is kept in the context. Defined for every object whatsoever.
   */
  void convert(JsonObject root, Direction direction, ConversionContext context);

  /** What differs, in words; empty if this converts nothing but only looks at what is there. */
  default Optional<Description> description() {
    return Optional.empty();
  }
}
