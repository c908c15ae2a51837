package dev.sluice.conversion.step;

import dev.sluice.json.JsonObject;

/**
 * A function from the value of a {@link FieldConversion} at one version to its value at the other;
 * a value holds those of the conversion's keys that are present. Total: there is no value for which
 * it fails. It changes neither its argument nor what that holds.
 */
@FunctionalInterface
public interface Mapping {
  /** The value on the other side. */
  JsonObject map(JsonObject value);

  /**
   * The value on the other side, where it can be much larger than this one.
   *
   * @param work asked for memory before it is made
   * @throws WorkStopped if memory or time ran out
   */
  default JsonObject map(JsonObject value, Work work) {
    return map(value);
  }
}
