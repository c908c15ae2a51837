package dev.sluice.api.queue;

import dev.sluice.api.meta.Spelled;

/** Whether a head that does not fit blocks those behind it. */
public enum QueueingStrategy implements Spelled {
  STRICT_FIFO("StrictFIFO"),
  BEST_EFFORT_FIFO("BestEffortFIFO");

  private final String text;

  QueueingStrategy(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
