package dev.sluice.multicluster.dispatch;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;

/**
 * A step of a dispatcher that continues after a while. It is kept in memory only: a restart starts
 * the current round again.
 *
 * @param members the clusters that the step added
 */
public record Round(Instant since, List<String> members) {
  public Round {
    requireNonNull(since, "since");
    members = List.copyOf(members);
  }
}
