package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.FORBIDDEN;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.NOT_SUPPORTED;
import static dev.sluice.api.configuration.Problem.Type.WARNING;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate.Stage;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads feature gates from the file or from a flag, and holds them against each other. */
final class FeatureGatesReader {
  private static final String FILE = "featureGates";
  private static final String FLAG = "--feature-gates";
  private static final Map<String, Stage> GROUPS =
      Map.of("AllAlpha", Stage.ALPHA, "AllBeta", Stage.BETA);
  private static final List<String> NAMES =
      Arrays.stream(FeatureGate.values()).map(FeatureGate::gateName).toList();

  private final Problems problems;
  private final boolean excerpt;
  private final Map<FeatureGate, Boolean> named = new EnumMap<>(FeatureGate.class);
  private final Map<Stage, Boolean> groups = new EnumMap<>(Stage.class);

  private FeatureGatesReader(Problems problems, boolean excerpt) {
    this.problems = problems;
    this.excerpt = excerpt;
  }

  /**
   * Reads the gates.
   *
   * @param excerpt whether gates that are not known are passed over, and each may be set without
   *     those it needs
   */
  static FeatureGates read(Fields fields, Optional<String> flag, boolean excerpt) {
    FeatureGatesReader reader = new FeatureGatesReader(fields.problems(), excerpt);
    Map<String, JsonNode> members = fields.members(FILE);
    if (flag.isPresent() && !members.isEmpty()) {
      fields.problem(FORBIDDEN, FILE, "set here and by " + FLAG + " (expected: one of the two)");
    }
    if (flag.isPresent()) {
      reader.take(flag.get());
    } else {
      members.forEach((name, value) -> reader.take(name, value));
    }
    return reader.gates(flag.isPresent());
  }

  private void take(String name, JsonNode value) {
    String path = FILE + "[" + name + "]";
    if (value.isBoolean()) {
      take(path, name, value.booleanValue());
    } else {
      problems.add(INVALID, path, Fields.wrong(value, "true or false"));
    }
  }

  private void take(String flag) {
    FeatureGatesFlag.values(flag)
        .forEach(
            (name, value) ->
                FeatureGatesFlag.truth(value)
                    .ifPresentOrElse(
                        isOn -> take(FLAG, name, isOn),
                        () ->
                            problems.add(
                                INVALID,
                                FLAG,
                                Fields.wrong(name + "=" + value, "Name=true or Name=false"))));
  }

  private void take(String path, String name, boolean value) {
    if (GROUPS.containsKey(name)) {
      groups.put(GROUPS.get(name), value);
      return;
    }
    Optional<FeatureGate> gate = FeatureGate.find(name);
    if (gate.isEmpty() && !excerpt) {
      problems.add(NOT_SUPPORTED, path, "there is no feature gate \"" + name + "\"" + hint(name));
    } else if (gate.isPresent()) {
      take(path, gate.get(), value);
    }
  }

  private void take(String path, FeatureGate gate, boolean value) {
    if (gate.locked() && value != gate.onByDefault()) {
      problems.add(
          INVALID,
          path,
          Fields.wrong(gate + "=" + value, gate.onByDefault() + ": the gate is locked"));
    } else {
      named.put(gate, value);
      refusal(gate, value).ifPresent(reason -> problems.add(INVALID, path, reason));
      warn(path, gate);
    }
  }

  /** An excerpt is played by the engine alone, which does without what is refused. */
  private Optional<String> refusal(FeatureGate gate, boolean value) {
    return excerpt ? Optional.empty() : FeatureGateRefusals.refusal(gate, value);
  }

  private void warn(String path, FeatureGate gate) {
    if (gate.locked()) {
      problems.add(WARNING, path, gate + " is always on and can be left out");
    } else if (gate.stage() == Stage.DEPRECATED) {
      problems.add(WARNING, path, gate + " is deprecated");
    }
  }

  private static String hint(String name) {
    return Spelling.nearest(name, NAMES).map(near -> " (did you mean " + near + "?)").orElse("");
  }

  private FeatureGates gates(boolean fromFlag) {
    FeatureGates gates = FeatureGates.DEFAULT;
    for (FeatureGate gate : FeatureGate.values()) {
      gates = gates.with(gate, value(gate));
    }
    if (!excerpt) {
      checkNeeds(gates, fromFlag);
    }
    return gates;
  }

  private void checkNeeds(FeatureGates gates, boolean fromFlag) {
    for (FeatureGate gate : gates.on()) {
      List<FeatureGate> missing = gates.missingFor(gate);
      if (!missing.isEmpty()) {
        problems.add(INVALID, fromFlag ? FLAG : FILE, needs(gate, missing));
      }
    }
  }

  private boolean value(FeatureGate gate) {
    Boolean byName = named.get(gate);
    if (byName != null) {
      return byName;
    }
    return FeatureGateRefusals.contains(gate)
        ? gate.onByDefault()
        : groups.getOrDefault(gate.stage(), gate.onByDefault());
  }

  private String needs(FeatureGate gate, List<FeatureGate> missing) {
    String byDefault = named.containsKey(gate) ? "" : ", as it is by default,";
    return "%s is on%s and needs %s (expected: %s=false, or %s=true)"
        .formatted(
            gate,
            byDefault,
            String.join(" and ", missing.stream().map(FeatureGate::gateName).toList()),
            gate,
            missing.getFirst());
  }
}
