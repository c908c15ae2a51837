package dev.sluice.cli.simulate;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.Spelled;

/**
 * An event of a workload.
 *
 * @param queue its ClusterQueue, empty if unknown
 * @param reason the reason in one word, or empty
 * @param detail a sentence for people, or empty
 */
record SimulationEvent(What what, ObjectKey workload, String queue, String reason, String detail) {
  /** The kinds of events. */
  enum What implements Spelled {
    ARRIVED("arrived"),
    ADMITTED("admitted"),
    RESERVED("reserved"),
    PREEMPTING("preempting"),
    PREEMPTED("preempted"),
    EVICTED("evicted"),
    WAITING("waiting"),
    FINISHED("finished");

    private final String text;

    What(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }
  }
}
