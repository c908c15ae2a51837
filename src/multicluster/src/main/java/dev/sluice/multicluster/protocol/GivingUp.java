package dev.sluice.multicluster.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Releases the quota on the manager if no worker admits the Workload within {@code giveUpAfter}.
 * The time is counted from the last change of a check, so a restart does not extend it.
 */
final class GivingUp {
  private GivingUp() {}

  /** Whether the Workload has waited for too long; then its check asks for another try. */
  static boolean isDue(Context context) {
    Optional<Duration> after = context.settings.giveUpAfter();
    boolean isFree = context.situation.constraint() instanceof PlacementConstraint.Unconstrained;
    Optional<Instant> until =
        after.flatMap(it -> context.workload.offeredSince().map(since -> since.plus(it)));
    if (until.isEmpty() || !isFree) {
      return false; // a job goes with the others of its group
    }
    if (context.now.isBefore(until.get())) {
      context.plan.again(until.get());
      return false;
    }
    context.retry(
        "No worker cluster admitted the workload within %s: %s"
            .formatted(text(after.orElseThrow()), context.plan.sentence()),
        "Warning");
    return true;
  }

  private static String text(Duration time) {
    return time.toSecondsPart() == 0 ? time.toMinutes() + "m" : time.toSeconds() + "s";
  }
}
