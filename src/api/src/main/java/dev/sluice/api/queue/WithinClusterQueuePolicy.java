package dev.sluice.api.queue;

import dev.sluice.api.meta.Spelled;

/** Which workloads a workload may preempt in its own queue. */
public enum WithinClusterQueuePolicy implements Spelled {
  NEVER("Never"),
  LOWER_PRIORITY("LowerPriority"),
  LOWER_OR_NEWER_EQUAL_PRIORITY("LowerOrNewerEqualPriority");

  private final String text;

  WithinClusterQueuePolicy(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
