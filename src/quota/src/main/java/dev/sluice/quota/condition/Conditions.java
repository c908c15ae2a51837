package dev.sluice.quota.condition;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.Messages;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conditions of one object while they are changed. For one thread. */
final class Conditions {
  private final List<Condition> list;
  private final @Nullable Long generation;
  private final Instant now;

  Conditions(List<Condition> list, @Nullable Long generation, Instant now) {
    this.list = new ArrayList<>(list);
    this.generation = generation;
    this.now = now;
  }

  Instant now() {
    return now;
  }

  List<Condition> list() {
    return List.copyOf(list);
  }

  @Nullable Condition find(String type) {
    for (Condition condition : list) {
      if (condition.type().equals(type)) {
        return condition;
      }
    }
    return null;
  }

  boolean isTrue(String type) {
    Condition condition = find(type);
    return condition != null && condition.status() == ConditionStatus.TRUE;
  }

  /** Sets the condition; its time changes only with its status. */
  void set(String type, boolean value, String reason, String message) {
    ConditionStatus status = value ? ConditionStatus.TRUE : ConditionStatus.FALSE;
    Condition old = find(type);
    Instant since = old != null && old.status() == status ? old.lastTransitionTime() : now;
    var next = new Condition(type, status, generation, since, reason, Messages.cut(message));
    if (old == null) {
      list.add(next);
    } else if (!old.equals(next)) {
      list.set(list.indexOf(old), next);
    }
  }
}
