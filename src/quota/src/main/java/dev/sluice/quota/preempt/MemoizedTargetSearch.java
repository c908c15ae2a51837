package dev.sluice.quota.preempt;

import dev.sluice.quota.trial.TreeTrial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search that is not run again for what was asked last: where one pair is all that is wanted,
 * whoever grades a flavor and whoever settles on it ask for the same. For one thread, and for one
 * trial that is the same whenever it asks.
 */
public final class MemoizedTargetSearch implements TargetSearch {
  private final TargetSearch search;
  private @Nullable PreemptionRequest asked;
  private List<Victim> answer = List.of();

  /** Nothing was asked yet. */
  public MemoizedTargetSearch(TargetSearch search) {
    this.search = search;
  }

  @Override
  public List<Victim> targets(TreeTrial trial, PreemptionRequest request) {
    if (asked == null || !asked.asksAs(request)) {
      answer = List.copyOf(search.targets(trial, request));
      asked = request;
    }
    return answer;
  }
}
