package dev.sluice.webhook.rules.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.rules.Denial;
import dev.sluice.rules.Field;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.SameValue;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.quota.QuotaView;
import dev.sluice.rules.quota.Refusal;
import dev.sluice.rules.settings.GuardMode;
import java.util.Optional;

/** What the quotas say: a reservation must fit beside all others, and some pods never can. */
final class QuotaRules {
  private static final String STATUS = "status";

  private QuotaRules() {}

  /**
   * Refuses a status write that reserves quota of others. Must run last: an allowed reservation
   * counts from then on.
   */
  static void fence(RuleInput input, ValidationResult findings) {
    QuotaView quota = input.world().quota();
    if (findings.refuse()
        || quota.mode() == GuardMode.OFF
        || !input.request().subresource().equals(STATUS)) {
      return;
    }
    Optional<Field> old = input.oldRoot();
    if (old.isPresent() && reservesMore(old.get(), input.root())) {
      quota
          .reserve(old.get().node(), input.object(), input.request().dryRun())
          .ifPresent(refusal -> report(refusal, quota.mode(), findings));
    }
  }

  private static boolean reservesMore(Field old, Field now) {
    return QuotaHold.isHeldBy(now.node())
        && !(QuotaHold.isHeldBy(old.node())
            && same(old, now, "admission")
            && same(old, now, "reclaimablePods"));
  }

  private static boolean same(Field old, Field now, String part) {
    return SameValue.of(old.child(STATUS).child(part).node(), now.child(STATUS).child(part).node());
  }

  private static void report(Refusal refusal, GuardMode mode, ValidationResult findings) {
    String sentence = "status.admission: " + refusal.sentence();
    if (mode == GuardMode.WARN) {
      findings.warn(sentence);
    } else if (refusal.isForEver()) {
      findings.fail(new Denial(403, "Forbidden", sentence));
    } else {
      findings.fail(new Denial(409, "Conflict", sentence)); // a retry may succeed
    }
  }

  /** Warns of pods that the ClusterQueue of the LocalQueue can never have room for. */
  static void warnOfTooMuch(RuleInput input, WorkloadView workload, ValidationResult findings) {
    String queue = workload.root().child("spec").child("queueName").text().orElse("");
    input
        .clusterQueueOf(queue)
        .ifPresent(
            clusterQueue ->
                workload
                    .podSets()
                    .forEach(it -> warn(input.world().quota(), clusterQueue, it, findings)));
  }

  private static void warn(
      QuotaView quota, String clusterQueue, Field podSet, ValidationResult findings) {
    read(podSet.node())
        .flatMap(it -> quota.neverFits(clusterQueue, it))
        .ifPresent(
            shortage ->
                findings.warn(podSet.path() + ": never to be admitted: " + shortage.sentence()));
  }

  private static Optional<PodSet> read(JsonNode podSet) {
    try {
      return Optional.of(HubObjects.read(PodSet.class, podSet));
    } catch (MalformedObjectException _) {
      return Optional.empty(); // the schema says so
    }
  }
}
