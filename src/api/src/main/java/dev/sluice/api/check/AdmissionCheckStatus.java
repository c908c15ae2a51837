package dev.sluice.api.check;

import dev.sluice.api.meta.Condition;
import java.util.List;

/** Whether a check works. */
public record AdmissionCheckStatus(List<Condition> conditions) {
  public AdmissionCheckStatus {
    conditions = List.copyOf(conditions);
  }
}
