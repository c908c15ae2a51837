package dev.sluice.webhook;

import dev.sluice.api.ApiKind;
import dev.sluice.webhook.rules.KindRules;
import dev.sluice.webhook.rules.RuleBook;
import dev.sluice.webhook.rules.cohort.CohortRules;
import dev.sluice.webhook.rules.topology.TopologyRules;
import java.util.List;

/** The rules that Sluice serves: the one place where a kind is added. */
public final class StandardRules {
  private static final RuleBook BOOK =
      new RuleBook(
          List.of(
              KindRules.of(ApiKind.COHORT.hub(), new CohortRules()),
              KindRules.of(ApiKind.TOPOLOGY.hub(), new TopologyRules())));

  private StandardRules() {}

  /** All kinds with their rules. */
  public static RuleBook book() {
    return BOOK;
  }
}
