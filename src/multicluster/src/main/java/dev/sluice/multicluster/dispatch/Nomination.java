package dev.sluice.multicluster.dispatch;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a dispatcher says.
 *
 * @param clusters to which the Workload is to be offered, in order
 * @param unknown names that somebody nominated and that the configuration does not have
 * @param round what the dispatcher needs to be told next time; empty for nothing
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
