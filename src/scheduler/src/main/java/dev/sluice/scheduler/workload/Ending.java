package dev.sluice.scheduler.workload;

import static dev.sluice.quota.world.ConditionType.FINISHED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How Workloads end: kept for a while and deleted, or let go because nobody owns them. */
final class Ending {
  private static final String JOB_UID = "kueue.x-k8s.io/job-uid";

  private Ending() {}

  /** Whether it was made for a job that does not own it any more, or is deleted without any. */
  static boolean isOrphan(Subject subject) {
    var metadata = subject.metadata();
    boolean alone = metadata.ownerReferences().isEmpty();
    boolean left = metadata.deletionTimestamp() != null || metadata.labels().containsKey(JOB_UID);
    return subject.settings().finishOrphans() && alone && left;
  }

  static Step orphaned(Subject subject) {
    boolean deleted = subject.metadata().deletionTimestamp() != null;
    if (!deleted && !subject.isTrue(FINISHED)) {
      return Step.status(
          subject
              .edit()
              .set(FINISHED, true, "OwnerNotFound", "The workload's owner no longer exists"));
    }
    return subject.hasFinalizer()
        ? Step.writing(List.of(subject.withoutFinalizer()))
        : deleted ? Step.REST : finished(subject);
  }

  static Step finished(Subject subject) {
    Optional<Instant> due =
        subject
            .settings()
            .afterFinished()
            .flatMap(
                kept ->
                    subject
                        .condition(FINISHED)
                        .map(Condition::lastTransitionTime)
                        .map(since -> since.plus(kept)));
    if (due.isEmpty() || subject.metadata().deletionTimestamp() != null) {
      return Step.REST;
    }
    if (subject.now().isBefore(due.get())) {
      return Step.at(due);
    }
    List<Write> writes = new ArrayList<>();
    if (subject.hasFinalizer()) {
      writes.add(subject.withoutFinalizer());
    }
    writes.add(new Write.Delete(subject.ref()));
    writes.add(
        subject.event("Normal", "Deleted", "Deleted finished workload due to elapsed retention"));
    return Step.writing(writes);
  }
}
