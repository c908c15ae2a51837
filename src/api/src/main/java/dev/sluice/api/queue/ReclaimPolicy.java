package dev.sluice.api.queue;

import dev.sluice.api.meta.Spelled;

/** Which borrowing workloads may be preempted to get back the nominal quota. */
public enum ReclaimPolicy implements Spelled {
  NEVER("Never"),
  LOWER_PRIORITY("LowerPriority"),
  ANY("Any");

  private final String text;

  ReclaimPolicy(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
