package dev.sluice.webhook.rules.clusterqueue;

import dev.sluice.api.Quantity;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.rules.Field;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.quota.QuotaLoss;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effect of an update of a ClusterQueue on the Workloads that hold quota, by name. Where the
 * engine says in time who would lose quota, these are named, also those of other ClusterQueues.
 * Otherwise those that hold the quota of this one are, in the order of preemption.
 */
final class UseWarnings {
  private static final int NAMED = 5;

  /** As in a search for victims: the least important first, and of those the youngest. */
  private static final Comparator<WorkloadState> FIRST_TO_GO =
      Comparator.comparingLong(WorkloadState::priority)
          .thenComparing(it -> it.reservedSince(Instant.MAX), Comparator.reverseOrder())
          .thenComparing(WorkloadState::key);

  private final Field old;
  private final Field now;
  private final List<WorkloadState> holders;
  private final ValidationResult findings;

  /** What the engine says; null if it has not said it. */
  private final @Nullable List<QuotaLoss> losses;

  private boolean lacks; // quota that is in use

  private UseWarnings(
      Field old,
      Field now,
      List<WorkloadState> holders,
      @Nullable List<QuotaLoss> losses,
      ValidationResult findings) {
    this.old = old;
    this.now = now;
    this.holders = holders.stream().sorted(FIRST_TO_GO).toList();
    this.losses = losses;
    this.findings = findings;
  }

  /** Adds the warnings; false if the Workloads with quota are not known. */
  static boolean check(RuleInput input, Field old, ValidationResult findings) {
    Optional<Snapshot> snapshot = input.world().quota().snapshot();
    Optional<String> name = input.name().filter(it -> knows(snapshot, it));
    name.ifPresent(
        it ->
            new UseWarnings(
                    old.child("spec"),
                    input.root().child("spec"),
                    snapshot.orElseThrow().holders(it),
                    losses(input, old, findings),
                    findings)
                .warn());
    return name.isPresent();
  }

  /** An edit that is refused, and one that evicts all, need no trial. */
  private static @Nullable List<QuotaLoss> losses(
      RuleInput input, Field old, ValidationResult findings) {
    return findings.refuse() || drains(input.root().child("spec"), old.child("spec"))
        ? null
        : input.world().quota().losses(input.object()).orElse(null);
  }

  private static boolean drains(Field now, Field old) {
    return isDrained(now) && !isDrained(old);
  }

  private static boolean isDrained(Field spec) {
    return spec.child("stopPolicy").text().orElse("").equals("HoldAndDrain");
  }

  private static boolean knows(Optional<Snapshot> snapshot, String queue) {
    return snapshot.filter(it -> it.hasClusterQueue(queue)).isPresent();
  }

  private void warn() {
    if (drains(now, old) && !holders.isEmpty()) {
      findings.warn(
          "%s: evicts all %d workloads that have quota: %s"
              .formatted(now.child("stopPolicy").path(), holders.size(), names(holders, null)));
    }
    Map<FlavorResource, Long> used = new LinkedHashMap<>();
    holders.forEach(
        it -> it.usage().forEach((pair, amount) -> used.merge(pair, amount, Long::sum)));
    used.forEach(this::warn);
    if (losses != null && !losses.isEmpty()) {
      findings.warn(
          losses.size() == 1
              ? "spec: with this, a workload loses its quota at once: " + lost(losses)
              : "spec: with this, %d workloads lose their quota at once: %s"
                  .formatted(losses.size(), lost(losses)));
    } else if (losses != null && lacks) {
      findings.warn("spec: no workload loses its quota at once");
    }
  }

  private void warn(FlavorResource pair, long used) {
    Optional<Field> before = Flavors.quota(old, pair.flavor(), pair.resource());
    Optional<Field> after = Flavors.quota(now, pair.flavor(), pair.resource());
    if (used <= 0 || before.isEmpty()) {
      return; // nothing changes for those who have it
    }
    String inUse = new Amount(used).text(pair.resource());
    if (after.isEmpty()) {
      findings.warn(
          "spec.resourceGroups: %s of %s in flavor %s is in use, and no longer part of this queue:"
                  .formatted(inUse, pair.resource(), pair.flavor())
              + " "
              + names(atLeast(pair, used), pair));
      return;
    }
    long nominal = amount(after.get(), pair);
    if (nominal < used && nominal < amount(before.get(), pair)) {
      lacks = true;
      findings.warn(
          "%s: less than the %s in use: %s must be borrowed or is taken back%s"
              .formatted(
                  after.get().child("nominalQuota").path(),
                  inUse,
                  new Amount(used - nominal).text(pair.resource()),
                  losses == null
                      ? ", first from " + names(atLeast(pair, used - nominal), pair)
                      : ""));
    }
  }

  private static long amount(Field quota, FlavorResource pair) {
    Optional<Quantity> nominal = quota.child("nominalQuota").quantity();
    return nominal.map(it -> Amount.quota(pair.resource(), it)).orElse(0L);
  }

  /** The first of them that have so much together. */
  private List<WorkloadState> atLeast(FlavorResource pair, long amount) {
    List<WorkloadState> first = new ArrayList<>();
    long sum = 0;
    for (WorkloadState holder : holders) {
      if (sum < amount && holder.usage().of(pair) > 0) {
        first.add(holder);
        sum += holder.usage().of(pair);
      }
    }
    return first;
  }

  private static String names(List<WorkloadState> all, @Nullable FlavorResource pair) {
    List<String> names = new ArrayList<>();
    for (WorkloadState holder : all.subList(0, Math.min(NAMED, all.size()))) {
      names.add(
          pair == null
              ? holder.key().toString()
              : "%s (%s)"
                  .formatted(
                      holder.key(), new Amount(holder.usage().of(pair)).text(pair.resource())));
    }
    return list(names, all.size());
  }

  private static String lost(List<QuotaLoss> losses) {
    return list(
        losses.stream()
            .limit(NAMED)
            .map(it -> it.workload() + (it.returns() ? " (gets quota again)" : ""))
            .toList(),
        losses.size());
  }

  private static String list(List<String> names, int all) {
    String list = String.join(", ", names);
    return all > NAMED ? list + " and " + (all - NAMED) + " more" : list;
  }
}
