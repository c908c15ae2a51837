package dev.sluice.json;

/**
 * Bounds on JSON from outside.
 *
 * @param maxDepth levels of objects and lists within each other
 * @param maxTextLength characters of one string or key, decoded
 * @param maxNumberLength characters of one number
 * @param maxStructures objects and lists in one text: eight bytes of index are kept for each
 */
public record JsonLimits(int maxDepth, int maxTextLength, int maxNumberLength, int maxStructures) {
  /**
   * Objects and lists in one text. Kubernetes objects have one in twenty bytes or more, so this is
   * enough for 40 MiB of them.
   */
  public static final int DEFAULT_STRUCTURES = 2_000_000;

  /**
   * Members of all objects that are open at one place of a text: the object that is read, and those
   * around it. All of their keys are kept in memory to find one that stands twice.
   */
  static final int MOST_OPEN_MEMBERS = 250_000;

  /** Bounds that no object which fits into an API server comes near. */
  public static final JsonLimits DEFAULT = new JsonLimits(256, 4 << 20, 256);

  public JsonLimits {
    atLeast(1, maxDepth, "maxDepth");
    atLeast(256, maxTextLength, "maxTextLength");
    atLeast(20, maxNumberLength, "maxNumberLength");
    atLeast(16, maxStructures, "maxStructures");
  }

  /** These bounds, and as many objects and lists as usual. */
  public JsonLimits(int maxDepth, int maxTextLength, int maxNumberLength) {
    this(maxDepth, maxTextLength, maxNumberLength, DEFAULT_STRUCTURES);
  }

  private static void atLeast(int least, int value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: >= " + least + ")");
    }
  }
}
