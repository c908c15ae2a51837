package dev.sluice.jobs.reconcile;

import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Writes;
import java.util.Optional;

/** The objects that the Pod sets of a job are read from, see {@link JobTraits#sources}. */
final class Sources {
  private Sources() {}

  /** The first of them that is not there. */
  static Optional<TypedObjectKey> missing(Job job, JobWorld world) {
    return job.traits().sources().stream()
        .filter(it -> world.find(it.kind(), it.namespace(), it.name()).isEmpty())
        .findFirst();
  }

  /** Plans the job again when one of them changes. */
  static void follow(Job job, Writes writes) {
    job.traits().sources().forEach(it -> writes.await(it.kind(), it.namespace(), it.name()));
  }

  /** Reports that the job waits for one of them. */
  static void tellMissing(Job job, TypedObjectKey missing, Writes writes) {
    String message =
        "%s %s is not found; the job waits for it".formatted(missing.kind().kind(), missing.name());
    writes.notice(job.kind(), job.tree(), "Warning", EventReasons.ERR_WORKLOAD_COMPOSE, message);
  }
}
