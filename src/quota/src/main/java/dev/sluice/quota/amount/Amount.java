package dev.sluice.quota.amount;

import dev.sluice.api.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A count of a resource: thousandths of a core for {@code cpu}, whole units for everything else, or
 * {@link #UNLIMITED}. {@link Amounts} computes with the same numbers as plain {@code long}s.
 */
public record Amount(long value) implements Comparable<Amount> {
  /** The amount that no request can use up. */
  public static final Amount UNLIMITED = new Amount(Amounts.UNLIMITED);

  /** Nothing. */
  public static final Amount ZERO = new Amount(0);

  /** The resource that is counted in thousandths. */
  public static final String CPU = "cpu";

  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigDecimal UNLIMITED_CORES = BigDecimal.valueOf(Long.MAX_VALUE / 1000);

  /**
   * What a pod asks for: rounded up to a whole unit of the resource, and held within 64 bits.
   *
   * @return the integer, for {@link Amounts}
   */
  public static long requested(String resource, Quantity quantity) {
    return requested(resource, quantity.value());
  }

  /** As {@link #requested(String, Quantity)}, of an exact decimal. */
  public static long requested(String resource, BigDecimal quantity) {
    BigDecimal units = CPU.equals(resource) ? quantity.movePointRight(3) : quantity;
    BigDecimal whole = units.setScale(0, RoundingMode.UP);
    return whole.abs().compareTo(MAX) > 0
        ? (whole.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE)
        : whole.longValueExact();
  }

  /** What a quota grants: as {@link #requested}, but a number too large to count is unlimited. */
  public static long quota(String resource, Quantity quantity) {
    BigDecimal limit = CPU.equals(resource) ? UNLIMITED_CORES : MAX;
    return quantity.value().compareTo(limit) >= 0
        ? Amounts.UNLIMITED
        : requested(resource, quantity);
  }

  /** Whether nothing can use it up. */
  public boolean unlimited() {
    return value == Amounts.UNLIMITED;
  }

  /** The amount as Kubernetes writes it for that resource, or {@code <unlimited>}. */
  public String text(String resource) {
    return unlimited() ? "<unlimited>" : toQuantity(resource, value).toString();
  }

  /**
   * The quantity of that many units of the resource: thousandths for cpu, binary suffixes for
   * memory, ephemeral storage and huge pages, decimal suffixes for everything else.
   */
  public static Quantity toQuantity(String resource, long value) {
    if (CPU.equals(resource)) {
      return Quantity.ofMillis(value);
    }
    return binary(resource) ? Quantity.ofBinary(value) : Quantity.of(value);
  }

  private static boolean binary(String resource) {
    return resource.equals("memory")
        || resource.equals("ephemeral-storage")
        || resource.startsWith("hugepages-");
  }

  @Override
  public int compareTo(Amount other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return unlimited() ? "<unlimited>" : Long.toString(value);
  }
}
