package dev.sluice.scheduler.engine;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.condition.DecisionMessages;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.Target;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.scheduler.engine.StatusUpdate.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From what a cycle did to what has to be stored. */
final class Decisions {
  private final Snapshot before;
  private final Snapshot after;
  private final List<StatusUpdate> decided = new ArrayList<>();

  private Decisions(Snapshot before, Snapshot after) {
    this.before = before;
    this.after = after;
  }

  /** What has to be stored; those who give way first. */
  static List<StatusUpdate> of(CycleResult result, Snapshot before, Snapshot after) {
    Decisions decisions = new Decisions(before, after);
    result.outcomes().forEach(decisions::read);
    return decisions.decided;
  }

  private void read(Outcome outcome) {
    WorkloadState head = before.state(outcome.workload());
    boolean hadQuota = head != null && head.holdsQuota();
    List<String> made = new ArrayList<>();
    Kind kind = Kind.PENDING;
    StatusUpdate then = null;
    switch (outcome.decision()) {
      case Decision.Reserved(_, var replaces) -> {
        then = replaces == null ? null : replaced(replaces, outcome.clusterQueue());
        kind = hadQuota ? Kind.PLACED : Kind.RESERVED;
      }
      case Decision.Displaced _ -> kind = Kind.EVICTED;
      case Decision.Preempting(_, var targets) -> {
        for (Target target : targets) {
          if (isOther(before.state(target.workload()), after.state(target.workload()))) {
            String priorities = priorities(outcome.workload(), target.workload());
            add(Kind.EVICTED, target.workload(), target.clusterQueue(), List.of(), priorities);
            made.add(sentence(target) + "; " + priorities);
          }
        }
        if (hadQuota) {
          unplaced(outcome, made);
        }
      }
      case Decision.Migrating(_, var sibling) ->
          add(Kind.EVICTED, sibling, outcome.clusterQueue(), List.of(), "");
      default -> {
        if (hadQuota) {
          unplaced(outcome, made);
        }
      }
    }
    add(kind, outcome.workload(), outcome.clusterQueue(), made, "", then);
  }

  /** It ends when the one that takes its place has quota, and goes on if that cannot be stored. */
  private @Nullable StatusUpdate replaced(ObjectKey slice, String clusterQueue) {
    WorkloadState base = before.state(slice);
    WorkloadState now = after.state(slice);
    return base != null && now != null && isOther(base, now)
        ? new StatusUpdate(
            Kind.REPLACED, base.workload(), now.workload(), clusterQueue, List.of(), "")
        : null;
  }

  private void unplaced(Outcome outcome, List<String> made) {
    Workload now = after.workload(outcome.workload());
    if (now != null) {
      List<String> told = new ArrayList<>(made);
      told.add(DecisionMessages.of(outcome.decision()));
      decided.add(new StatusUpdate(Kind.UNPLACED, now, now, outcome.clusterQueue(), told, ""));
    }
  }

  private String sentence(Target target) {
    Workload victim = after.workload(target.workload());
    return "Preempted workload %s (UID: %s) in ClusterQueue %s"
        .formatted(
            target.workload(),
            victim == null ? "" : victim.metadata().uid(),
            target.clusterQueue());
  }

  private String priorities(ObjectKey preemptor, ObjectKey preemptee) {
    return "preemptor %s; preemptee %s".formatted(priority(preemptor), priority(preemptee));
  }

  private String priority(ObjectKey key) {
    WorkloadState state = before.state(key);
    if (state == null) {
      return "is gone";
    }
    Integer stated = state.workload().spec().priority();
    int base = stated == null ? 0 : stated;
    return "effective priority: %d (base: %d, boost: %d)"
        .formatted(state.priority(), base, state.priority() - base);
  }

  private void add(
      Kind kind, ObjectKey key, String clusterQueue, List<String> made, String priorities) {
    add(kind, key, clusterQueue, made, priorities, null);
  }

  private void add(
      Kind kind,
      ObjectKey key,
      String clusterQueue,
      List<String> made,
      String priorities,
      @Nullable StatusUpdate then) {
    WorkloadState base = before.state(key);
    WorkloadState now = after.state(key);
    if (base != null && now != null && (isOther(base, now) || !made.isEmpty())) {
      decided.add(
          new StatusUpdate(
              kind, base.workload(), now.workload(), clusterQueue, made, priorities, then));
    }
  }

  /** Whether both are there, and the status of the one is not that of the other. */
  @SuppressWarnings("ReferenceEquality") // most heads are left as they were, and are the very same
  private static boolean isOther(@Nullable WorkloadState base, @Nullable WorkloadState now) {
    return base != null
        && now != null
        && base != now
        && !base.workload().status().equals(now.workload().status());
  }
}
