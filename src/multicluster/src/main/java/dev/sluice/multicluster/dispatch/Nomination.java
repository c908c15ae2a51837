package dev.sluice.multicluster.dispatch;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The answer of a dispatcher.
 *
 * @param clusters to which the Workload is to be offered, in order
 * @param unknown nominated names that are not in the configuration
 * @param round the state to pass to the next call; empty for none
 * @param again when to ask again though nothing changed
 */
public record Nomination(
    List<String> clusters, List<String> unknown, Optional<Round> round, Optional<Instant> again) {
  public Nomination {
    clusters = List.copyOf(clusters);
    unknown = List.copyOf(unknown);
    requireNonNull(round, "round");
    requireNonNull(again, "again");
  }

  static Nomination of(List<String> clusters) {
    return new Nomination(clusters, List.of(), Optional.empty(), Optional.empty());
  }
}
