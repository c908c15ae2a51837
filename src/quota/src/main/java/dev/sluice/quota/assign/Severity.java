package dev.sluice.quota.assign;

import dev.sluice.api.vocabulary.PendingReason;
import java.util.List;

/** Which of two reasons to report when several flavors or PodSets fail for different reasons. */
final class Severity {
  private static final List<PendingReason> MILDEST_FIRST =
      List.of(
          PendingReason.TOPOLOGY_PLACEMENT_FAILED,
          PendingReason.WAITING_FOR_QUOTA,
          PendingReason.EXCEEDS_MAX_QUOTA,
          PendingReason.NO_MATCHING_FLAVOR);

  private Severity() {}

  static PendingReason worse(PendingReason a, PendingReason b) {
    return MILDEST_FIRST.indexOf(a) >= MILDEST_FIRST.indexOf(b) ? a : b;
  }

  static PendingReason milder(PendingReason a, PendingReason b) {
    return MILDEST_FIRST.indexOf(a) <= MILDEST_FIRST.indexOf(b) ? a : b;
  }
}
