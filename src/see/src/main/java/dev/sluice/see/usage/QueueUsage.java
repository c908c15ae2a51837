package dev.sluice.see.usage;

import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one ClusterQueue had and used.
 *
 * @param from the time of the first sample; null for none yet
 * @param to the time of the last sample; null for none yet
 * @param isComplete whether all that the queue has is kept; not if there are too many queues
 * @param pairs in the order of flavor and resource
 */
public record QueueUsage(
    @Nullable Instant from, @Nullable Instant to, boolean isComplete, List<Pair> pairs) {
  public QueueUsage {
    pairs = List.copyOf(pairs);
  }

  /**
   * One resource of one flavor.
   *
   * @param steps each holds until the next one, in the order of their times
   */
  public record Pair(FlavorResource pair, List<Step> steps) {
    public Pair {
      steps = List.copyOf(steps);
    }
  }

  /**
   * What was seen from then on.
   *
   * @param use null where the queue did not have the resource
   */
  public record Step(Instant at, @Nullable Use use) {}

  /**
   * Amounts at one time.
   *
   * @param nominal what the ClusterQueue grants
   * @param used what its Workloads hold
   * @param borrowed what of it is not its own
   */
  public record Use(Amount nominal, Amount used, Amount borrowed) {}
}
