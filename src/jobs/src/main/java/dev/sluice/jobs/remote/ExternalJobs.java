package dev.sluice.jobs.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * Jobs of a kind that another program gives Workloads, here and on other clusters. Nothing but
 * {@code spec.managedBy} is known of the kind, so the copy is the whole job, and that program holds
 * it back there until its Workload is admitted.
 */
public record ExternalJobs() implements RemoteJobs {
  private static final List<String> MANAGED_BY = List.of("spec", "managedBy");

  @Override
  public Optional<List<String>> managedBy() {
    return Optional.of(MANAGED_BY);
  }

  @Override
  public ObjectNode copy(JsonNode job, JsonNode workload) {
    ObjectNode copy = CopiedFields.of(job);
    CopiedFields.remove(copy, MANAGED_BY);
    return copy;
  }

  /** Its Workload there keeps its quota until that program has seen the Pods end. */
  @Override
  public boolean mayRun(JsonNode remote) {
    return false;
  }
}
