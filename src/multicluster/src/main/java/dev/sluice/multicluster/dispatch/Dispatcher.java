package dev.sluice.multicluster.dispatch;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Chooses the clusters that a Workload is offered to. Pure. */
public interface Dispatcher {
  /** The largest number of clusters in {@code status.nominatedClusterNames}. */
  int MOST = 20;

  /**
   * The clusters to nominate now.
   *
   * @param candidates the clusters of the configuration, in its order
   * @param stored what is nominated
   * @param round what the dispatcher answered last time; empty after a restart
   */
  Nomination nominate(
      List<Candidate> candidates, List<String> stored, Optional<Round> round, Instant now);
}
