package dev.sluice.scheduler.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;
import static dev.sluice.api.vocabulary.ConditionTypes.PREEMPTED;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;
import static dev.sluice.api.vocabulary.ConditionTypes.REQUEUED;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.workload.UnhealthyNode;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.scheduler.engine.StatusUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The events of a decision, sent once it is stored. */
final class DecisionEvents {
  private DecisionEvents() {}

  static List<Write.Event> of(StatusUpdate decided, ObjectRef ref, Instant now) {
    List<Write.Event> events = new ArrayList<>();
    Workload after = decided.after();
    List<String> made = decided.made();
    if (decided.kind() == StatusUpdate.Kind.UNPLACED) {
      events.add(new Write.Event(ref, "Warning", EventReasons.SECOND_PASS_FAILED, made.getLast()));
      made = made.subList(0, made.size() - 1);
    }
    events.addAll(preempted(made, ref));
    switch (decided.kind()) {
      case RESERVED -> {
        events.add(normal(ref, QUOTA_RESERVED, reserved(decided, now)));
        if (after.status().isTrue(ADMITTED)) {
          events.add(normal(ref, ADMITTED, admitted(decided, now)));
        }
      }
      case PLACED -> events.add(placed(decided, ref, now));
      case EVICTED -> {
        after
            .status()
            .condition(EVICTED)
            .ifPresent(
                c ->
                    events.add(normal(ref, EventReasons.EVICTED_DUE_TO + c.reason(), c.message())));
        after
            .status()
            .condition(PREEMPTED)
            .filter(_ -> !decided.priorities().isEmpty()) // else it is of another time
            .map(c -> normal(ref, PREEMPTED, c.message() + "; " + decided.priorities()))
            .ifPresent(events::add);
      }
      case REPLACED, UNPLACED -> {} // the event of its successor says so
      case PENDING ->
          after
              .status()
              .condition(QUOTA_RESERVED)
              .ifPresent(c -> events.add(new Write.Event(ref, "Warning", c.reason(), c.message())));
    }
    return events;
  }

  /** Only the events of its victims: nothing else is new. */
  static List<Write.Event> ofOthers(StatusUpdate decided, ObjectRef ref) {
    return preempted(decided.made(), ref);
  }

  private static List<Write.Event> preempted(List<String> made, ObjectRef ref) {
    return made.stream().map(it -> normal(ref, EventReasons.PREEMPTED_WORKLOAD, it)).toList();
  }

  private static Write.Event normal(ObjectRef ref, String reason, String message) {
    return new Write.Event(ref, "Normal", reason, message);
  }

  private static Write.Event placed(StatusUpdate decided, ObjectRef ref, Instant now) {
    String failed =
        decided.base().status().unhealthyNodes().stream()
            .map(UnhealthyNode::name)
            .collect(Collectors.joining(", "));
    return failed.isEmpty()
        ? normal(ref, ADMITTED, admitted(decided, now))
        : normal(
            ref, EventReasons.NODES_REPLACED, "Pods of failed nodes have other places: " + failed);
  }

  private static String reserved(StatusUpdate decided, Instant now) {
    Instant created = decided.base().metadata().creationTimestamp();
    Instant queued =
        decided
            .base()
            .status()
            .condition(REQUEUED)
            .map(Condition::lastTransitionTime)
            .orElse(created == null ? now : created);
    return "Quota reserved in ClusterQueue %s, wait time since queued was %ds"
        .formatted(decided.clusterQueue(), Math.max(0, Duration.between(queued, now).toSeconds()));
  }

  private static String admitted(StatusUpdate decided, Instant now) {
    Instant reserved =
        decided
            .base()
            .status()
            .condition(QUOTA_RESERVED)
            .filter(c -> c.status() == ConditionStatus.TRUE)
            .map(Condition::lastTransitionTime)
            .orElse(now);
    return "Admitted by ClusterQueue %s, wait time since reservation was %ds"
        .formatted(
            decided.clusterQueue(), Math.max(0, Duration.between(reserved, now).toSeconds()));
  }
}
