package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.copy.JobCopies;
import dev.sluice.multicluster.dispatch.Dispatcher;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of an operator for dispatching.
 *
 * @param us the identity of this manager on its workers
 * @param workerLostTimeout how long a worker may be away before its Workloads go elsewhere
 * @param dispatcher the dispatcher that chooses the clusters
 * @param giveUpAfter how long no worker may admit a Workload before it gives its quota back; empty
 *     for ever
 * @param isNamedByAnnotation whether a job names its Workload in an annotation, not in a label
 */
public record ProtocolSettings(
    Identity us,
    Duration workerLostTimeout,
    Dispatcher dispatcher,
    Optional<Duration> giveUpAfter,
    boolean isNamedByAnnotation) {
  public ProtocolSettings {
    requireNonNull(us, "us");
    requireNonNull(workerLostTimeout, "workerLostTimeout");
    requireNonNull(dispatcher, "dispatcher");
    requireNonNull(giveUpAfter, "giveUpAfter");
  }

  JobCopies jobCopies() {
    return new JobCopies(us, isNamedByAnnotation);
  }
}
