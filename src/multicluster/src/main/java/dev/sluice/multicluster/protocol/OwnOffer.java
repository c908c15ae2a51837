package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.multicluster.copy.WorkloadCopies;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What this process itself did for a Workload. If it stored the first nomination, no earlier
 * process has sent a job anywhere, and where this one has sent none, none can appear. A replica
 * that loses the lead never leads again, so nobody else acts between two dispatches.
 *
 * @param uid of the manager's Workload
 * @param dispatch the number of the present dispatch, from 0
 * @param isFirst whether this process stored the nomination of dispatch 0
 * @param jobsSent the clusters to which a job was sent in this dispatch or an earlier one, or where
 *     one was changed, with or without an answer
 */
public record OwnOffer(String uid, long dispatch, boolean isFirst, Set<String> jobsSent) {
  public OwnOffer {
    requireNonNull(uid, "uid");
    jobsSent = Set.copyOf(jobsSent);
  }

  /**
   * What is known once this process has stored a nomination.
   *
   * @param known what was known before
   * @param workload as it was before; if it had a nomination, nothing begins
   */
  public static Optional<OwnOffer> nominated(Optional<OwnOffer> known, JsonNode workload) {
    Optional<OwnOffer> same = known.filter(it -> it.uid.equals(uid(workload)));
    if (!workload.path("status").path("nominatedClusterNames").isEmpty()) {
      return same;
    }
    long dispatch = WorkloadCopies.dispatch(workload);
    boolean isFirst = dispatch == 0 || same.filter(OwnOffer::isFirst).isPresent();
    Set<String> jobsSent = same.map(OwnOffer::jobsSent).orElse(Set.of());
    return Optional.of(new OwnOffer(uid(workload), dispatch, isFirst, jobsSent));
  }

  private static String uid(JsonNode workload) {
    return workload.path("metadata").path("uid").asText();
  }

  /**
   * What is known when this process is about to send a job. It may do so before it is told that its
   * nomination was stored.
   */
  public static OwnOffer sending(Optional<OwnOffer> known, JsonNode workload, String cluster) {
    OwnOffer before =
        known
            .filter(it -> it.uid.equals(uid(workload)))
            .orElse(new OwnOffer(uid(workload), 0, false, Set.of()));
    Set<String> sent = new HashSet<>(before.jobsSent);
    sent.add(cluster);
    return new OwnOffer(before.uid, before.dispatch, before.isFirst, sent);
  }

  /** Whether a cluster was never sent a job of that Workload, in its present dispatch. */
  boolean hasSentNoJob(JsonNode workload, String cluster) {
    return dispatch == WorkloadCopies.dispatch(workload) && hasNeverSentJob(workload, cluster);
  }

  /** The same also of a Workload that was evicted since, which ends its dispatch. */
  boolean hasNeverSentJob(JsonNode workload, String cluster) {
    return isFirst && uid.equals(uid(workload)) && !jobsSent.contains(cluster);
  }
}
