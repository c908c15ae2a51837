package dev.sluice.multicluster.dispatch;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Nominates every connected cluster, sorted. A lost cluster stays nominated while it is in the
 * configuration: nothing is created there, and nothing has to be written when it is back.
 */
public record AllAtOnce() implements Dispatcher {
  @Override
  public Nomination nominate(
      List<Candidate> candidates, List<String> stored, Optional<Round> round, Instant now) {
    List<String> known = candidates.stream().map(Candidate::name).toList();
    return Nomination.of(
        Stream.concat(
                stored.stream().filter(known::contains),
                candidates.stream().filter(Candidate::isUsable).map(Candidate::name))
            .distinct()
            .limit(MOST)
            .sorted()
            .toList());
  }
}
