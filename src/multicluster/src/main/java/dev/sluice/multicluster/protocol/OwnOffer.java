package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.multicluster.copy.WorkloadCopies;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A dispatch of a Workload whose first one was begun by this process. So no earlier process has
 * sent a job of it anywhere, and where this one has sent none, none can appear. A replica that
 * loses the lead never leads again, so nobody else acts between two dispatches.
 *
 * @param uid of the manager's Workload
 * @param dispatch its number, from 0
 * @param jobsSent the clusters to which a job was sent in this dispatch or an earlier one, with or
 *     without an answer
 */
public record OwnOffer(String uid, long dispatch, Set<String> jobsSent) {
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
    if (same.isPresent()) {
      return Optional.of(new OwnOffer(same.get().uid, dispatch, same.get().jobsSent));
    }
    return dispatch == 0
        ? Optional.of(new OwnOffer(uid(workload), dispatch, Set.of()))
        : Optional.empty();
  }

  private static String uid(JsonNode workload) {
    return workload.path("metadata").path("uid").asText();
  }

  /** The same, with one more cluster to which a job is sent. */
  public OwnOffer sending(String cluster) {
    Set<String> sent = new HashSet<>(jobsSent);
    sent.add(cluster);
    return new OwnOffer(uid, dispatch, sent);
  }

  /** Whether a cluster was never sent a job of that Workload. */
  boolean hasSentNoJob(JsonNode workload, String cluster) {
    return uid.equals(uid(workload))
        && dispatch == WorkloadCopies.dispatch(workload)
        && !jobsSent.contains(cluster);
  }
}
