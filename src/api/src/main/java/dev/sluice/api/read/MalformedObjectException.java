package dev.sluice.api.read;

/**
 * An object that does not have the form of its kind. The message names the object, the field and
 * what was expected there.
 */
public final class MalformedObjectException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String field;

  MalformedObjectException(String object, String field, String problem) {
    super(object + ": " + field + ": " + problem);
    this.field = field;
  }

  /** The path of the field, such as {@code spec.podSets[0].count}. */
  public String field() {
    return field;
  }
}
