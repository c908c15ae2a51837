package dev.sluice.jobs.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs and Workloads that were found to match. To compare them, all Pod sets of the job are made,
 * and most changes are of statuses only. A match that is not known is found again. Thread-safe.
 */
public final class KnownMatches {
  private static final int MAX = 50_000;
  private static final String META = "metadata";

  /** Members that are not compared as a whole. */
  private static final Set<String> APART = Set.of(META, "status");

  private static final List<String> COMPARED_METADATA = List.of("uid", "labels", "annotations");

  /**
   * Two that match, as they were.
   *
   * @param states see {@link #has}
   */
  private record Match(JsonNode job, JsonNode workload, List<Boolean> states) {}

  @GuardedBy("this")
  private final Map<JobKey, Match> matches = new LinkedHashMap<>();

  /**
   * Whether they matched in the same states, and differ only in their statuses since.
   *
   * @param states what of the statuses decides whether they match, in an order of the caller's
   */
  public boolean has(JobKey key, JsonNode job, JsonNode workload, List<Boolean> states) {
    Match match = find(key);
    if (match == null
        || !match.states().equals(states)
        || !isSame(match.workload(), workload)
        || !isSame(match.job(), job)) {
      return false;
    }
    add(key, job, workload, states); // the objects as they were can be collected
    return true;
  }

  private synchronized @Nullable Match find(JobKey key) {
    return matches.get(key);
  }

  /** Records that they match, in place of what was recorded for the job. */
  public synchronized void add(JobKey key, JsonNode job, JsonNode workload, List<Boolean> states) {
    matches.put(key, new Match(job, workload, states));
    if (matches.size() > MAX) {
      matches.remove(matches.keySet().iterator().next());
    }
  }

  /** Drops what is recorded for a job that is gone. */
  public synchronized void remove(JobKey key) {
    matches.remove(key);
  }

  private static boolean isSame(JsonNode before, JsonNode after) {
    JsonNode old = before.path(META);
    JsonNode now = after.path(META);
    return COMPARED_METADATA.stream().allMatch(it -> old.path(it).equals(now.path(it)))
        && hasAllOf(before, after)
        && hasAllOf(after, before);
  }

  private static boolean hasAllOf(JsonNode one, JsonNode other) {
    for (Map.Entry<String, JsonNode> member : other.properties()) {
      String name = member.getKey();
      if (!APART.contains(name) && !member.getValue().equals(one.path(name))) {
        return false;
      }
    }
    return true;
  }
}
