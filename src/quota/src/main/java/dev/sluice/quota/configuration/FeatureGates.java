package dev.sluice.quota.configuration;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Which gates are on; immutable. */
public final class FeatureGates {
  private final Set<Gate> on;

  private FeatureGates(Set<Gate> on) {
    this.on = on;
  }

  /** Every gate as it is by default. */
  public static FeatureGates defaults() {
    return of(Map.of());
  }

  /** The defaults, with these set otherwise by name; names without a {@link Gate} are ignored. */
  public static FeatureGates of(Map<String, Boolean> settings) {
    Set<Gate> on = EnumSet.noneOf(Gate.class);
    for (Gate gate : Gate.values()) {
      if (settings.getOrDefault(gate.text(), gate.onByDefault())) {
        on.add(gate);
      }
    }
    return new FeatureGates(on);
  }

  public boolean on(Gate gate) {
    return on.contains(gate);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FeatureGates that && on.equals(that.on);
  }

  @Override
  public int hashCode() {
    return on.hashCode();
  }

  @Override
  public String toString() {
    return on.toString();
  }
}
