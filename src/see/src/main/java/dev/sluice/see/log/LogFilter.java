package dev.sluice.see.log;

/**
 * Which entries are wanted; an empty text wants all.
 *
 * @param queue the ClusterQueue, or the LocalQueue as {@code namespace/name}
 * @param workload a part of {@code namespace/name}
 * @param reason the reason, or the step
 * @param preemptor a part of {@code namespace/name} of the Workload for which it was preempted
 */
public record LogFilter(String queue, String workload, String reason, String preemptor) {
  /** All of them. */
  public static final LogFilter ALL = new LogFilter("", "", "", "");

  boolean wants(LogPage.Shown shown) {
    LogEntry entry = shown.entry();
    return (reason.isEmpty()
            || reason.equalsIgnoreCase(entry.reason())
            || reason.equalsIgnoreCase(entry.step().text()))
        && entry.workload().toString().contains(workload)
        && (queue.isEmpty()
            || queue.equals(shown.clusterQueue())
            || queue.equals(entry.workload().namespace() + "/" + entry.localQueue()))
        && (preemptor.isEmpty()
            || (shown.preemptor() != null && shown.preemptor().toString().contains(preemptor)));
  }
}
