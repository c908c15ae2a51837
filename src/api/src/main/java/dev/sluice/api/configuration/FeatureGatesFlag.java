package dev.sluice.api.configuration;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The text of the flag {@code --feature-gates}: {@code Name=true,Other=false}. */
public final class FeatureGatesFlag {
  /** How flags of Kubernetes spell a truth value. */
  private static final Set<String> TRUE = Set.of("true", "True", "TRUE", "t", "T", "1");

  private static final Set<String> FALSE = Set.of("false", "False", "FALSE", "f", "F", "0");

  private FeatureGatesFlag() {}

  /** The text of each value by the name of its gate, in order; of two the last one holds. */
  public static Map<String, String> values(String flag) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : flag.split(",", -1)) {
      String[] pair = part.strip().split("=", 2);
      if (!part.isBlank()) {
        values.put(pair[0].strip(), pair.length == 2 ? pair[1].strip() : "");
      }
    }
    return values;
  }

  /** Whether a value says that its gate is on; empty for what is no truth value. */
  public static Optional<Boolean> truth(String value) {
    boolean isOn = TRUE.contains(value);
    return isOn || FALSE.contains(value) ? Optional.of(isOn) : Optional.empty();
  }
}
