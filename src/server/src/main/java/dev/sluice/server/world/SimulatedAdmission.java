package dev.sluice.server.world;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.lifecycle.store.ObjectCache;
import dev.sluice.rules.Denial;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleBook;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.settings.ConfiguredSettings;
import dev.sluice.rules.view.ClusterView;
import java.util.List;
import java.util.Optional;

/** Sets and checks in objects, before they are stored, what the webhooks of a cluster do. */
final class SimulatedAdmission {
  private final RuleBook book;
  private final ReviewContext world;

  /**
   * Admission by these rules.
   *
   * @param objects what rules see of the cluster
   */
  SimulatedAdmission(RuleBook book, SimulatedConfiguration chosen, ObjectCache objects) {
    this.book = book;
    this.world =
        new ReviewContext(
            new View(objects), ConfiguredSettings.of(chosen.configuration(), chosen.extensions()));
  }

  private record View(ObjectCache objects) implements ClusterView {
    @Override
    public boolean knows(GroupKind kind) {
      return objects.knows(kind);
    }

    @Override
    public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
      return objects.find(kind, namespace, name);
    }

    @Override
    public List<JsonNode> list(GroupKind kind, String namespace) {
      return objects.all(kind).stream()
          .filter(it -> it.path("metadata").path("namespace").asText().equals(namespace))
          .toList();
    }

    @Override
    public List<JsonNode> controlledBy(GroupKind kind, String ownerUid) {
      return objects.controlledBy(kind, ownerUid);
    }
  }

  /**
   * The object as it is stored.
   *
   * @param before the object that it takes the place of; empty for one that is created
   * @throws IllegalArgumentException naming object and fields, if it is refused
   */
  JsonNode admit(GroupVersionKind kind, JsonNode object, Optional<JsonNode> before) {
    Optional<KindRules> rules = book.find(kind.groupKind()).filter(it -> it.kind().equals(kind));
    if (rules.isEmpty()) {
      return object;
    }
    Operation operation = before.isEmpty() ? Operation.CREATE : Operation.UPDATE;
    RuleInput input = new RuleInput(operation, object, before.orElse(null), world);
    ValidationResult findings = new ValidationResult();
    PatchRecorder defaulted = rules.get().apply(input, findings);
    requireAllowed(input, findings, kind);
    requireAllowed(input, rules.get().check(input.with(defaulted.object())), kind);
    return defaulted.object();
  }

  private static void requireAllowed(
      RuleInput input, ValidationResult findings, GroupVersionKind kind) {
    Denial.of(kind.groupKind(), input, findings)
        .ifPresent(
            it -> {
              throw new IllegalArgumentException(it.message());
            });
  }
}
