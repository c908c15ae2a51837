package dev.sluice.jobs.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.Patches;
import java.util.List;
import java.util.Optional;

/** How jobs of one kind run on other clusters. Pure and stateless: any thread may call it. */
public interface RemoteJobs {
  /** The field that must name MultiKueue here and is absent on the copy; empty for none. */
  Optional<List<String>> managedBy();

  /**
   * What the copy of a job is made from: its labels, its annotations and its own fields, held back,
   * with the Pod templates that the Workload remembers. The caller adds the marks.
   *
   * @param job the local job, maybe started
   * @param workload the local Workload
   */
  ObjectNode copy(JsonNode job, JsonNode workload);

  /** The part of the status of the remote job that the local job gets. */
  default Mirror mirror(JsonNode local, JsonNode remote) {
    return Mirror.whole(local, remote.path("status"));
  }

  /** Whether a job of the kind may change its number of Pods while it runs elsewhere. */
  default boolean canBeElastic() {
    return false;
  }

  /**
   * Whether the local job has as many Pods as its Workload asks for. A user changes the size of an
   * elastic job first; until its Workload has followed, its copy keeps the size that it has.
   */
  default boolean hasSizeOf(JsonNode local, JsonNode workload) {
    return true;
  }

  /**
   * The change of the remote job by fields that follow the local one while it runs. It is asked for
   * only while {@link #hasSizeOf} holds.
   */
  default ObjectNode forwarded(JsonNode local, JsonNode remote) {
    return Patches.object();
  }

  /**
   * How many Workloads the local job has. They run on one cluster, and the first one stands for the
   * job there.
   */
  default int workloads(JsonNode job) {
    return 1;
  }

  /** The index of that Workload among those of its job, from 0. */
  default int index(JsonNode workload) {
    return 0;
  }

  /** Whether the local object is copied; failed members of a group are not. */
  default boolean isWanted(JsonNode local) {
    return true;
  }

  /**
   * Whether {@link #forwarded} may ever change something, for which the right to patch is needed.
   */
  default boolean isPatched() {
    return false;
  }

  /**
   * Whether all Pods of the remote job are up; false where {@link #mirror} lets the local job say
   * it.
   */
  default boolean isReady(JsonNode remote) {
    return false;
  }

  /**
   * Whether the status of the remote job says that it ended; true for kinds whose status does not
   * say it.
   */
  default boolean hasEnded(JsonNode remote) {
    return true;
  }

  /** Whether Pods of the remote job may run or are ending. */
  boolean mayRun(JsonNode remote);
}
