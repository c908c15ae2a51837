package dev.sluice.webhook.guard;

import dev.sluice.webhook.guard.PodFacts.Phase;
import dev.sluice.webhook.guard.Surplus.Reason;
import java.util.List;
import java.util.Optional;

/**
 * A Job and its known pods. Each count is a lower bound if the Job was read before its pods: a pod
 * that the Job's status counts has lost its tracking finalizer earlier, so pods read later are not
 * counted twice. So a surplus found here is real.
 *
 * <p>A pod that succeeded and has lost its finalizer was counted, but not always as a success: a
 * pod that failed and was counted as failed may report success later. Its Job still needs another
 * pod, so such a pod is only suspected, and the Job as read afterwards decides.
 *
 * @param job the Job
 * @param pods its pods, read no earlier than the Job
 * @param after the Job, read no earlier than its pods; empty if it was not
 */
record Headcount(JobFacts job, List<PodFacts> pods, Optional<JobFacts> after) {
  Headcount {
    pods = List.copyOf(pods);
  }

  /** A Job and its pods as they were seen. */
  Headcount(JobFacts job, List<PodFacts> pods) {
    this(job, pods, Optional.empty());
  }

  /** Why the Job may not have this pod too; empty if it may. */
  Optional<Surplus> surplus(PodFacts candidate) {
    if (job.finished()) {
      return found(Reason.FINISHED, "Job %s is finished".formatted(job.name()));
    }
    if (job.suspended()) {
      return found(Reason.SUSPENDED, "Job %s is suspended".formatted(job.name()));
    }
    Optional<Surplus> byIndex = job.indexed() ? ofIndex(candidate) : Optional.empty();
    return byIndex.or(this::ofNumber);
  }

  private Optional<Surplus> ofNumber() {
    long succeeded = succeeded();
    long alive = pods.stream().filter(this::isAlive).count();
    if (job.completions().isPresent() && succeeded >= job.completions().getAsInt()) {
      return found(
          Reason.COMPLETED,
          "Job %s has %d of %d completions"
              .formatted(job.name(), succeeded, job.completions().getAsInt()));
    }
    if (alive >= job.parallelism()) {
      return found(
          Reason.PARALLELISM,
          "Job %s has %d live pods at a parallelism of %d"
              .formatted(job.name(), alive, job.parallelism()));
    }
    if (job.completions().isPresent() && alive + succeeded >= job.completions().getAsInt()) {
      return found(
          Reason.COMPLETED,
          "Job %s has %d live pods for the %d of %d completions that are left"
              .formatted(
                  job.name(),
                  alive,
                  job.completions().getAsInt() - succeeded,
                  job.completions().getAsInt()));
    }
    return Optional.empty();
  }

  private Optional<Surplus> ofIndex(PodFacts candidate) {
    if (candidate.index().isEmpty()) {
      return Optional.empty();
    }
    int index = candidate.index().getAsInt();
    boolean done =
        job.hasCompleted(index)
            || after.filter(it -> it.hasCompleted(index)).isPresent()
            || pods.stream().anyMatch(pod -> isOf(index, pod) && hasSucceeded(pod));
    if (done) {
      return found(Reason.INDEX, "index %d of Job %s has succeeded".formatted(index, job.name()));
    }
    return pods.stream()
        .filter(pod -> isOf(index, pod) && isAlive(pod))
        .findFirst()
        .flatMap(
            pod ->
                found(
                    Reason.INDEX,
                    "index %d of Job %s has the live pod %s"
                        .formatted(index, job.name(), pod.name())));
  }

  private static boolean isOf(int index, PodFacts pod) {
    return pod.index().isPresent() && pod.index().getAsInt() == index;
  }

  private boolean isAlive(PodFacts pod) {
    return pod.phase() == Phase.ALIVE && (job.countsTerminating() || !pod.terminating());
  }

  /** The successes in the status with those it is about to count, or those visible in the pods. */
  private long succeeded() {
    long coming =
        pods.stream().filter(pod -> isComing(pod) && !job.uncounted().contains(pod.uid())).count();
    long seen =
        after
            .map(JobFacts::counted)
            .orElseGet(() -> pods.stream().filter(this::hasSucceeded).count());
    return Math.max(seen, job.counted() + coming);
  }

  /** Whether it counts as a success, now or soon; suspected if the Job was not read again. */
  private boolean hasSucceeded(PodFacts pod) {
    return after
        .map(it -> isComing(pod) || it.uncounted().contains(pod.uid()))
        .orElse(pod.phase() == Phase.SUCCEEDED);
  }

  /** Whether it will be counted as a success. */
  private boolean isComing(PodFacts pod) {
    return pod.phase() == Phase.SUCCEEDED
        && pod.tracked()
        && !job.failing().contains(pod.uid())
        && after.filter(it -> it.failing().contains(pod.uid())).isEmpty();
  }

  private static Optional<Surplus> found(Reason reason, String sentence) {
    return Optional.of(new Surplus(reason, sentence));
  }
}
