package dev.sluice.rules.quota;

import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;

/**
 * That a ClusterQueue has not what a Workload is to have.
 *
 * @param asked what the Workload is to have of the pair
 * @param left what there is for it now; never less than nothing
 * @param most what the ClusterQueue could give with nothing in use anywhere
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
