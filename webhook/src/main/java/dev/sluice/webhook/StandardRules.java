package dev.sluice.webhook;

import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.webhook.rules.KindRules;
import dev.sluice.webhook.rules.RuleBook;
import dev.sluice.webhook.rules.cohort.CohortRules;
import dev.sluice.webhook.rules.jobs.kinds.JobKinds;
import dev.sluice.webhook.rules.topology.TopologyRules;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The rules that Sluice serves: the one place where a kind is added. */
public final class StandardRules {
  private static final RuleBook BOOK = book(List.of());

  private StandardRules() {}

  /** All kinds with their rules. */
  public static RuleBook book() {
    return BOOK;
  }

  /** All kinds with their rules, and these kinds of jobs beside them. */
  public static RuleBook book(Collection<CustomKind> custom) {
    return new RuleBook(
        Stream.concat(core().stream(), JobKinds.rules(custom).stream()).toList());
  }

  private static List<KindRules> core() {
    return List.of(
        KindRules.of(ApiKind.COHORT.hub(), new CohortRules()),
        KindRules.of(ApiKind.TOPOLOGY.hub(), new TopologyRules()));
  }
}
