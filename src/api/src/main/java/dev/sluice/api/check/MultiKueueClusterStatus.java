package dev.sluice.api.check;

import dev.sluice.api.meta.Condition;
import java.util.List;

/** Whether a worker cluster is connected. */
public record MultiKueueClusterStatus(List<Condition> conditions) {
  public MultiKueueClusterStatus {
    conditions = List.copyOf(conditions);
  }
}
