package dev.sluice.lifecycle.nodes;

import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of the nodes of a placed workload.
 *
 * @param failed the hostnames of its failed nodes, sorted
 * @param stranded the writes and events that end its pods that can never start on their node
 * @param again when to check again without a change
 */
public record Health(List<String> failed, List<Write> stranded, Optional<Instant> again) {
  /** No known problem. */
  public static final Health GOOD = new Health(List.of(), List.of(), Optional.empty());

  public Health {
    failed = List.copyOf(failed);
    stranded = List.copyOf(stranded);
  }
}
