package dev.sluice.api.cel;

/**
 * How many steps evaluations may take. One step is one operation, or one item of a list or 64
 * characters of a text that an operation looks at. For one thread.
 */
public final class CelBudget {
  private long left;

  /** A budget of that many steps. */
  public CelBudget(long steps) {
    this.left = steps;
  }

  /** The steps that are left. */
  public long left() {
    return Math.max(0, left);
  }

  /** Whether nothing is left. */
  public boolean isUsedUp() {
    return left <= 0;
  }

  void take(long steps) {
    left -= steps;
    if (left <= 0) {
      throw new CelException("takes too many steps");
    }
  }

  void takeFor(CharSequence text) {
    take(text.length() / Texts.STEP);
  }
}
