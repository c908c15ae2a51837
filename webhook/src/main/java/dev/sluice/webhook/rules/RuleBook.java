package dev.sluice.webhook.rules;

import dev.sluice.api.ApiKind;
import dev.sluice.webhook.rules.cohort.CohortRules;
import dev.sluice.webhook.rules.topology.TopologyRules;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** Which rules a kind has. Immutable; any thread may use it. */
public final class RuleBook {
  private final Map<ApiKind, AdmissionRules> rules;

  /** A book with exactly these rules; every other kind has none. */
  public RuleBook(Map<ApiKind, AdmissionRules> rules) {
    this.rules = new EnumMap<>(ApiKind.class);
    this.rules.putAll(rules);
  }

  /** The rules that Sluice serves. */
  public static RuleBook standard() {
    return new RuleBook(
        Map.of(ApiKind.TOPOLOGY, new TopologyRules(), ApiKind.COHORT, new CohortRules()));
  }

  /** The kinds that have rules, in the order of their names. */
  public Set<ApiKind> kinds() {
    return Collections.unmodifiableSet(rules.keySet());
  }

  /**
   * What the rules of the kind find. Nothing for a kind without rules, for a DELETE, and for an
   * UPDATE of an object that is being deleted and keeps its spec: its finalizers can always go.
   */
  public Findings check(ApiKind kind, RuleInput input) {
    var findings = new Findings();
    AdmissionRules ofKind = rules.get(kind);
    if (ofKind != null && input.operation() != RuleInput.Operation.DELETE && !input.onlyLetsGo()) {
      ofKind.check(input, findings);
    }
    return findings;
  }
}
