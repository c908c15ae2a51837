package dev.sluice.cli.simulate;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.Spelled;

/**
 * Something that became of a workload.
 *
 * @param queue its ClusterQueue, empty where that is not known
 * @param reason one word where there is one, or empty
 * @param detail a sentence for people, or empty
 */
record SimulationEvent(What what, ObjectKey workload, String queue, String reason, String detail) {
  /** What can become of a workload. */
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
