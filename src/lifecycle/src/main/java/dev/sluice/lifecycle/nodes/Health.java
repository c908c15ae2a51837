package dev.sluice.lifecycle.nodes;

import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How the nodes of a placed workload are.
 *
 * @param failed the hostnames of those that failed for it, sorted
 * @param stranded what ends its pods that can never start where they are bound to, and says so
 * @param again when to look again though nothing changed
 */
public record Health(List<String> failed, List<Write> stranded, Optional<Instant> again) {
  /** No known problem. */
  public static final Health GOOD = new Health(List.of(), List.of(), Optional.empty());

  public Health {
    failed = List.copyOf(failed);
    stranded = List.copyOf(stranded);
  }
}
