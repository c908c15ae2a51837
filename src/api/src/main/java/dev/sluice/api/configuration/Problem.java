package dev.sluice.api.configuration;

import static java.util.Objects.requireNonNull;

/**
 * Something that is wrong with a configuration, or odd about it.
 *
 * @param document the index of the document, in the order they were read
 * @param type what kind of problem
 * @param path the field: {@code a.b[3].c}, a key of a map in brackets; empty for the whole document
 * @param detail the sentence that follows the path, with the value and what was expected
 */
public record Problem(int document, Type type, String path, String detail) {
  /** What kind of problem. */
  public enum Type {
    /** A field that is not known here. */
    UNKNOWN_FIELD,
    /** A value of the wrong type, out of range or against a rule. */
    INVALID,
    /** A field that must be there and is not. */
    REQUIRED,
    /** A value that is none of those there are. */
    NOT_SUPPORTED,
    /** A value that may be there only once. */
    DUPLICATE,
    /** A field that may not be there in this combination. */
    FORBIDDEN,
    /** More entries than allowed. */
    TOO_MANY,
    /** Not wrong, but probably not what was meant. */
    WARNING
  }

  public Problem {
    requireNonNull(type, "type");
  }

  /** One sentence with the path in front. */
  @Override
  public String toString() {
    return path.isEmpty() ? detail : path + ": " + detail;
  }
}
