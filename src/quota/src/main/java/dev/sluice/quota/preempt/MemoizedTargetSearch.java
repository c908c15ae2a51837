package dev.sluice.quota.preempt;

import dev.sluice.quota.trial.TreeTrial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search that reuses its last result: for a request of one pair, rating a flavor and choosing it
 * need the same search. For one thread, and for one trial that is unchanged between the calls.
 */
public final class MemoizedTargetSearch implements TargetSearch {
  private final TargetSearch search;
  private @Nullable PreemptionRequest asked;
  private List<Victim> answer = List.of();

  /** Before the first search. */
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
