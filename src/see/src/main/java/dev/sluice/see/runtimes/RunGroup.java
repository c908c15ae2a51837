package dev.sluice.see.runtimes;

import dev.sluice.see.history.Subject;
import java.util.List;

/**
 * Workloads whose run times are alike.
 *
 * @param key of the series, queue, and shape, as far as the level has them
 */
public record RunGroup(Level level, String key) {
  /** The levels, the narrowest first. */
  public enum Level {
    SERIES("the same series"),
    SHAPE("the same LocalQueue and shape"),
    LOCAL_QUEUE("the same LocalQueue"),
    CLUSTER_QUEUE("the same ClusterQueue"),
    ALL("all Workloads"),
    /** The user says it. */
    USER("what the user says");

    private final String text;

    Level(String text) {
      this.text = text;
    }

    /** As a part of a sentence. */
    public String text() {
      return text;
    }
  }

  /** The groups of a Workload, the narrowest first. */
  static List<RunGroup> of(Subject subject, String clusterQueue) {
    String namespace = subject.workload().namespace();
    String localQueue = namespace + "/" + subject.localQueue();
    return List.of(
        new RunGroup(Level.SERIES, namespace + "/" + subject.series()),
        new RunGroup(Level.SHAPE, localQueue + " " + subject.shape()),
        new RunGroup(Level.LOCAL_QUEUE, localQueue),
        new RunGroup(Level.CLUSTER_QUEUE, clusterQueue),
        new RunGroup(Level.ALL, ""));
  }
}
