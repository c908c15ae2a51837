package dev.sluice.multicluster.dispatch;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Another component nominates the clusters; the list is only read. */
public record External() implements Dispatcher {
  @Override
  public Nomination nominate(
      List<Candidate> candidates, List<String> stored, Optional<Round> round, Instant now) {
    List<String> known = candidates.stream().map(Candidate::name).toList();
    return new Nomination(
        stored,
        stored.stream().filter(it -> !known.contains(it)).toList(),
        Optional.empty(),
        Optional.empty());
  }
}
