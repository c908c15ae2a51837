package dev.sluice.multicluster.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import java.util.Locale;

/** The progress of a Workload on a worker. */
public enum CopyState {
  /** It waits for quota. */
  PENDING,
  /** It has quota and waits for checks of the worker. */
  RESERVED,
  /** It may run. */
  ADMITTED,
  /** It is being stopped, or was. */
  EVICTED,
  /** It has ended. */
  FINISHED;

  static CopyState of(JsonNode workload) {
    if (Conditions.isTrue(workload, ConditionTypes.FINISHED)) {
      return FINISHED;
    }
    if (Conditions.isTrue(workload, ConditionTypes.EVICTED)) {
      return EVICTED;
    }
    if (Conditions.isTrue(workload, ConditionTypes.ADMITTED)) {
      return ADMITTED;
    }
    return Conditions.isTrue(workload, ConditionTypes.QUOTA_RESERVED) ? RESERVED : PENDING;
  }

  /** As a label of metrics. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
