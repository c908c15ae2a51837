package dev.sluice.jobs.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.PlanContext;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The world of a job on another cluster, or of its copy: nothing but the job itself is seen. What
 * its operator made of it, such as the cluster of a RayJob, is known by the job's status only.
 */
public final class Isolated implements JobWorld {
  private static final JobWorld WORLD = new Isolated();

  private Isolated() {}

  /** What such a job is read with. */
  public static PlanContext context(JobSettings settings) {
    return new PlanContext(WORLD, settings, Instant.EPOCH);
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    return Optional.empty();
  }

  @Override
  public boolean watches(GroupKind kind) {
    return false;
  }

  @Override
  public boolean knows(GroupKind kind) {
    return false;
  }

  @Override
  public List<JsonNode> list(GroupKind kind) {
    return List.of();
  }

  @Override
  public List<JsonNode> workloadsOwnedBy(GroupKind kind, String namespace, String name) {
    return List.of();
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String namespace, String ownerUid) {
    return List.of();
  }

  @Override
  public List<JsonNode> podsOfGroup(String namespace, String group) {
    return List.of();
  }
}
