package dev.sluice.rules;

import dev.sluice.api.GroupKind;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which rules a kind has. Immutable; any thread may use it. */
public final class RuleBook {
  private final Map<GroupKind, KindRules> kinds = new LinkedHashMap<>();

  /**
   * A book with exactly these rules; every other kind has none.
   *
   * @throws IllegalArgumentException if a kind is there twice
   */
  public RuleBook(Collection<KindRules> kinds) {
    for (KindRules kind : kinds) {
      if (this.kinds.put(kind.kind().groupKind(), kind) != null) {
        throw new IllegalArgumentException(kind.kind() + " (expected: each kind once)");
      }
    }
  }

  /** The kinds that have rules, in the order they were named. */
  public List<KindRules> kinds() {
    return List.copyOf(kinds.values());
  }

  /** The rules of a kind. */
  public Optional<KindRules> find(GroupKind kind) {
    return Optional.ofNullable(kinds.get(kind));
  }

  /** What the rules of the kind find; nothing for a kind without rules. */
  public ValidationResult check(GroupKind kind, RuleInput input) {
    return find(kind).map(ofKind -> ofKind.check(input)).orElseGet(ValidationResult::new);
  }
}
