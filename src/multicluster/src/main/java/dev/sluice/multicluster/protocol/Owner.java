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
 * @param isCarried whether the job has several Workloads, and another one of them stands for it on
 *     workers: there, this one has its copy and nothing else
 * @param jobs the local objects, in the order of their names; none if they are gone, or if another
 *     Workload stands for them
 */
public record Owner(
    GroupVersionKind kind,
    Optional<RemoteJobs> remote,
    Optional<String> refusal,
    boolean isExternal,
    boolean isCarried,
    List<JsonNode> jobs) {
  public Owner {
    requireNonNull(kind, "kind");
    requireNonNull(remote, "remote");
    requireNonNull(refusal, "refusal");
    jobs = List.copyOf(jobs);
  }

  /** Of a job with one Workload. */
  public Owner(
      GroupVersionKind kind,
      Optional<RemoteJobs> remote,
      Optional<String> refusal,
      boolean isExternal,
      List<JsonNode> jobs) {
    this(kind, remote, refusal, isExternal, false, jobs);
  }

  /** The local objects that are to have a copy. */
  List<JsonNode> wanted() {
    return jobs.stream().filter(job -> remote.filter(it -> it.isWanted(job)).isPresent()).toList();
  }

  /** The same, for a Workload of which another one stands for the job on workers. */
  public Owner carried() {
    return new Owner(kind, remote, refusal, isExternal, true, List.of());
  }
}
