package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.List;
import java.util.Optional;

/**
 * The job that a Workload is for, or the Pods of its group.
 *
 * @param kind its kind
 * @param remote how such jobs run elsewhere; empty if they cannot
 * @param refusal why jobs of the kind are not dispatched although they could; empty if they are
 * @param isExternal whether the configuration names the kind, and no code of ours
 * @param jobs the local objects, in the order of their names; none if they are gone
 */
public record Owner(
    GroupVersionKind kind,
    Optional<RemoteJobs> remote,
    Optional<String> refusal,
    boolean isExternal,
    List<JsonNode> jobs) {
  public Owner {
    requireNonNull(kind, "kind");
    requireNonNull(remote, "remote");
    requireNonNull(refusal, "refusal");
    jobs = List.copyOf(jobs);
  }
}
