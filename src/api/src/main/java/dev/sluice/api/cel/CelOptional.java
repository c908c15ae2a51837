package dev.sluice.api.cel;

import java.util.Optional;

/**
 * A value of the language that may be absent.
 *
 * @param value what it is
 */
record CelOptional(Optional<Object> value) {
  static final CelOptional NONE = new CelOptional(Optional.empty());

  static CelOptional of(Object value) {
    return new CelOptional(Optional.of(value));
  }
}
