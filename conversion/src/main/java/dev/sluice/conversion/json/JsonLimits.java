package dev.sluice.conversion.json;

/**
 * Bounds on JSON from outside.
 *
 * @param maxDepth levels of objects and lists within each other
 * @param maxTextLength characters of one string or key, decoded
 * @param maxNumberLength characters of one number
 */
public record JsonLimits(int maxDepth, int maxTextLength, int maxNumberLength) {
  /** Bounds that no object which fits into an API server comes near. */
  public static final JsonLimits DEFAULT = new JsonLimits(256, 4 << 20, 256);

  public JsonLimits {
    atLeast(1, maxDepth, "maxDepth");
    atLeast(256, maxTextLength, "maxTextLength");
    atLeast(20, maxNumberLength, "maxNumberLength");
  }

  private static void atLeast(int least, int value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: >= " + least + ")");
    }
  }
}
