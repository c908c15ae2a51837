package dev.sluice.scheduler.queue;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.Messages;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.quota.inventory.Inactivity.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The condition Active of queues: whether they admit, and all that keeps them from it. */
final class ActiveCondition {
  private ActiveCondition() {}

  /** Active or not, with the reason of the first cause; the message names all causes. */
  static List<Condition> clusterQueue(
      List<Condition> old, List<Inactivity> causes, @Nullable Long generation, Instant now) {
    if (causes.isEmpty()) {
      return with(old, true, "Ready", "Can admit new workloads", generation, now);
    }
    if (causes.stream().anyMatch(cause -> cause.reason() == Reason.TERMINATING)) {
      String message = "Can't admit new workloads; clusterQueue is terminating";
      return with(old, false, Reason.TERMINATING.text(), message, generation, now);
    }
    String message = "Can't admit new workloads: " + pieces(causes) + ".";
    return with(old, false, causes.getFirst().reason().text(), message, generation, now);
  }

  private static String pieces(List<Inactivity> causes) {
    Map<Reason, List<Inactivity>> byReason = new LinkedHashMap<>();
    causes.forEach(c -> byReason.computeIfAbsent(c.reason(), _ -> new ArrayList<>()).add(c));
    return byReason.entrySet().stream()
        .map(entry -> piece(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String piece(Reason reason, List<Inactivity> causes) {
    String subjects =
        causes.stream().map(Inactivity::subject).sorted().collect(Collectors.joining(","));
    return switch (reason) {
      case STOPPED -> "is stopped";
      case FLAVOR_NOT_FOUND -> "references missing ResourceFlavor(s): " + subjects;
      case ADMISSION_CHECK_NOT_FOUND -> "references missing AdmissionCheck(s): " + subjects;
      case ADMISSION_CHECK_INACTIVE -> "references inactive AdmissionCheck(s): " + subjects;
      case MULTIPLE_MULTI_KUEUE_CHECKS ->
          "Cannot use multiple MultiKueue AdmissionChecks on the same ClusterQueue, found: "
              + subjects;
      case MULTI_KUEUE_PER_FLAVOR ->
          "Cannot specify MultiKueue AdmissionCheck per flavor, found: " + subjects;
      case MULTI_KUEUE_WITH_PROVISIONING ->
          "Cannot use both MultiKueue and ProvisioningRequest AdmissionChecks together, found: "
              + subjects;
      case TOPOLOGY_NOT_FOUND, COHORT_CYCLE, TERMINATING ->
          causes.stream().map(Inactivity::message).collect(Collectors.joining(", "));
    };
  }

  /** The conditions with this one; its time changes only with its status. */
  static List<Condition> with(
      List<Condition> old,
      boolean active,
      String reason,
      String message,
      @Nullable Long generation,
      Instant now) {
    ConditionStatus status = active ? ConditionStatus.TRUE : ConditionStatus.FALSE;
    List<Condition> next = new ArrayList<>();
    Instant since = now;
    for (Condition condition : old) {
      if (!condition.type().equals(ConditionTypes.ACTIVE)) {
        next.add(condition);
      } else if (condition.status() == status) {
        since = condition.lastTransitionTime();
      }
    }
    next.add(
        new Condition(
            ConditionTypes.ACTIVE, status, generation, since, reason, Messages.cut(message)));
    return next;
  }
}
