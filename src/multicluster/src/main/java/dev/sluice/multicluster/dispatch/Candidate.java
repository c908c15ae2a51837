package dev.sluice.multicluster.dispatch;

import static java.util.Objects.requireNonNull;

/**
 * A cluster of the configuration.
 *
 * @param isUsable whether it is connected and serves the kind of the job
 * @param hasRefused whether it is left out for now, because it cannot take the Workload
 */
public record Candidate(String name, boolean isUsable, boolean hasRefused) {
  public Candidate {
    requireNonNull(name, "name");
  }
}
