package dev.sluice.quota.history;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** How the past fades: after each half-life, what was used counts half. */
record Decay(Duration halfLife) {
  private static final int DECIMALS = 9;

  /** The part of the past that is gone after that time; all of it where nothing is kept. */
  BigDecimal faded(Duration time) {
    if (halfLife.isZero()) {
      return BigDecimal.ZERO;
    }
    double halves = Math.max(0, seconds(time)) / seconds(halfLife);
    return BigDecimal.valueOf(1 - Math.pow(0.5, halves));
  }

  /** Of any time, also of one longer than nanoseconds can be counted. */
  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }

  /** What counts after that time, in which {@code running} was in use. */
  Map<String, BigDecimal> after(
      Duration time, Map<String, BigDecimal> past, Map<String, BigDecimal> running) {
    Map<String, BigDecimal> result = new TreeMap<>();
    if (halfLife.isZero()) {
      return result;
    }
    BigDecimal gone = faded(time);
    past.forEach((r, amount) -> result.put(r, amount.multiply(BigDecimal.ONE.subtract(gone))));
    running.forEach((r, amount) -> result.merge(r, amount.multiply(gone), BigDecimal::add));
    result.replaceAll((_, amount) -> amount.setScale(DECIMALS, RoundingMode.DOWN));
    return result;
  }

  /** What an admission counts for at once, until it shows in the usage. */
  Map<String, BigDecimal> penalty(Duration samplingInterval, Map<String, BigDecimal> requested) {
    Map<String, BigDecimal> result = new TreeMap<>();
    BigDecimal part = faded(samplingInterval);
    requested.forEach((r, amount) -> result.put(r, amount.multiply(part)));
    return result;
  }
}
