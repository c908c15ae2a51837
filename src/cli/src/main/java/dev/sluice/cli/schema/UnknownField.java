package dev.sluice.cli.schema;

import java.util.Collection;
import java.util.Optional;

/**
 * A member that the schema does not know. The API server drops it, and {@code kubectl} refuses it
 * by default.
 *
 * @param path where it stands
 * @param nearest the known member with the most similar name, if one is similar
 */
public record UnknownField(String path, Optional<String> nearest) {

  static UnknownField of(String path, String name, Collection<String> known) {
    return new UnknownField(path, Spelling.nearest(name, known));
  }

  /** One sentence. */
  public String text() {
    return path
        + ": unknown field, the API server drops it"
        + nearest.map(name -> "; did you mean " + name + "?").orElse("");
  }
}
