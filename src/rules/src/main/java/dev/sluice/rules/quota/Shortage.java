package dev.sluice.rules.quota;

import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;

/**
 * A ClusterQueue with too little quota for a Workload.
 *
 * @param asked the amount that the Workload needs of the pair
 * @param left the available amount; never negative
 * @param most the amount available if nothing was in use
 */
public record Shortage(String clusterQueue, FlavorResource pair, long asked, long left, long most)
    implements Refusal {
  @Override
  public boolean isForEver() {
    return asked > most;
  }

  @Override
  public String sentence() {
    String resource = pair.resource();
    String what = "%s of %s in flavor %s".formatted(text(asked), resource, pair.flavor());
    return isForEver()
        ? "%s is more than ClusterQueue %s can ever have, %s"
            .formatted(what, clusterQueue, text(most))
        : "%s is not to be had in ClusterQueue %s, where %s is left: others have reserved the rest"
            .formatted(what, clusterQueue, text(left));
  }

  private String text(long amount) {
    return new Amount(amount).text(pair.resource());
  }
}
