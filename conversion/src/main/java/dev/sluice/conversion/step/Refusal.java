package dev.sluice.conversion.step;

/**
 * Why an object is not converted.
 *
 * @param field the path of the field
 * @param sentence what is wrong with it and what was expected
 */
public record Refusal(String field, String sentence) {
  @Override
  public String toString() {
    return field + ": " + sentence;
  }
}
