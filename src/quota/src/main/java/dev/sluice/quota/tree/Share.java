package dev.sluice.quota.tree;

/**
 * How much a node borrows in relation to what it could: the dominant resource share, in
 * thousandths. Ordered from the node to be served first to the last.
 *
 * @param borrowing whether it borrows at all, also where nothing could be lent to it
 * @param ratio the share before the weight divides it
 * @param dominantResource the resource with the largest ratio, empty where there is none
 */
public record Share(boolean borrowing, double ratio, double weight, String dominantResource)
    implements Comparable<Share> {
  /** A node that borrows nothing, or has no cohort to borrow from. */
  public static final Share NONE = new Share(false, 0, 1, "");

  /** The share by weight; infinite for a node of weight 0 that borrows. */
  public double value() {
    if (ratio == 0) {
      return 0;
    }
    return weight == 0 ? Double.POSITIVE_INFINITY : ratio / weight;
  }

  /** A node of weight 0 has no claim to what it borrows. */
  public boolean withoutClaim() {
    return weight == 0 && borrowing;
  }

  /** As status shows it: rounded up, and the largest number where it is infinite. */
  public long rounded() {
    double value = value();
    return Double.isInfinite(value) ? Long.MAX_VALUE : (long) Math.ceil(value);
  }

  @Override
  public int compareTo(Share other) {
    if (withoutClaim() && other.withoutClaim()) {
      return Double.compare(ratio, other.ratio);
    }
    if (withoutClaim() != other.withoutClaim()) {
      return withoutClaim() ? 1 : -1;
    }
    return Double.compare(value(), other.value());
  }
}
