package dev.sluice.jobs.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.MergePatch;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Kinds whose jobs have a field that holds them back: the copy is created with it set, and what an
 * admission put into the templates here is taken out.
 *
 * @param reader reads such a job
 * @param managedBy the field that must name MultiKueue here; empty for none
 * @param leftOut fields that the copy does not have
 */
public record SuspendedJobs(
    Function<JsonNode, Job> reader, Optional<List<String>> managedBy, List<List<String>> leftOut)
    implements RemoteJobs {
  private static final Job.Stop HELD_BACK = new Job.Stop("HeldBack", "held back");

  public SuspendedJobs {
    leftOut = List.copyOf(leftOut);
  }

  @Override
  public ObjectNode copy(JsonNode job, JsonNode workload) {
    ObjectNode copy = heldBack(heldBack(CopiedFields.of(job), workload), workload);
    managedBy.ifPresent(path -> CopiedFields.remove(copy, path));
    leftOut.forEach(path -> CopiedFields.remove(copy, path));
    return CopiedFields.of(copy);
  }

  /**
   * One step of a stop: some kinds are suspended first, and their templates are restored after
   * that.
   */
  private ObjectNode heldBack(ObjectNode copy, JsonNode workload) {
    Writes writes = new Writes("");
    reader.apply(copy).stop(HELD_BACK, Optional.of(new WorkloadView(workload)), writes);
    JsonNode stopped = copy;
    for (Write write : writes.all()) {
      if (write instanceof Write.MergePatch patch && patch.subresource().isEmpty()) {
        stopped = MergePatch.applied(stopped, patch.patch());
      }
    }
    return stopped.deepCopy();
  }

  @Override
  public boolean hasEnded(JsonNode remote) {
    return reader.apply(remote).finish().isPresent();
  }

  @Override
  public boolean mayRun(JsonNode remote) {
    return reader.apply(remote).isActive() || remote.path("status").path("terminating").asInt() > 0;
  }
}
