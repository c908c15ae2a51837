package dev.sluice.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.rules.view.ObjectView;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Short ways to make reviews; JSON may be written with single quotes. */
public final class Reviews {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Reviews() {}

  public static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An object named {@code a} with that spec. */
  public static JsonNode object(String spec) {
    return json("{'metadata':{'name':'a'},'spec':" + spec + "}");
  }

  /** A CREATE in an unknown world. */
  public static RuleInput creation(JsonNode object) {
    return new RuleInput(Operation.CREATE, object, null, ReviewContext.UNKNOWN);
  }

  /** An UPDATE in an unknown world. */
  public static RuleInput update(JsonNode old, JsonNode object) {
    return new RuleInput(Operation.UPDATE, object, old, ReviewContext.UNKNOWN);
  }

  /** A world in which exactly these features are on. */
  public static ReviewContext worldWith(FeatureGate... gates) {
    Settings defaults = Settings.DEFAULT;
    FeatureGates exactly = FeatureGates.DEFAULT;
    for (FeatureGate gate : FeatureGate.values()) {
      exactly = gate.locked() ? exactly : exactly.with(gate, List.of(gates).contains(gate));
    }
    return new ReviewContext(
        ClusterView.EMPTY,
        new Settings(
            defaults.manageJobsWithoutQueueName(),
            defaults.managedNamespaces(),
            defaults.frameworks(),
            defaults.externalFrameworks(),
            exactly,
            defaults.podGuard()));
  }

  /** A world whose objects of our kinds are these. */
  public static ReviewContext worldOf(JsonNode... objects) {
    Set<GroupKind> known =
        Arrays.stream(ApiKind.values()).map(ApiKind::groupKind).collect(Collectors.toSet());
    return new ReviewContext(new ObjectView(known, List.of(objects)), Settings.DEFAULT);
  }

  /** An object of a world, at the hub version; {@code members} may be empty. */
  public static JsonNode existing(ApiKind kind, String name, String members) {
    return json(
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s','metadata':{'name':'%s'}%s}"
            .formatted(kind, name, members.isEmpty() ? "" : "," + members));
  }

  public static RuleInput creation(JsonNode object, ReviewContext world) {
    return new RuleInput(Operation.CREATE, object, null, world);
  }

  public static RuleInput update(JsonNode old, JsonNode object, ReviewContext world) {
    return new RuleInput(Operation.UPDATE, object, old, world);
  }

  /** Each violation as {@code TYPE path}. */
  public static List<String> faults(ValidationResult findings) {
    return findings.violations().stream().map(it -> it.type() + " " + it.field()).toList();
  }
}
