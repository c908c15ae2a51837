package dev.sluice.scheduler.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Says what to do next about a job. Keeps nothing between two calls: what it must remember stands
 * in the objects, so a plan is right after a kill at any moment. Immutable; any thread may ask.
 */
public final class JobPlanner {
  private final JobSettings settings;

  /** Plans with these settings. */
  public JobPlanner(JobSettings settings) {
    this.settings = settings;
  }

  /** The kinds of jobs that are on, Pods included where they are needed: those to watch. */
  public Set<GroupVersionKind> kinds() {
    Set<GroupVersionKind> kinds = new LinkedHashSet<>();
    for (Framework framework : List.of(Framework.JOB, Framework.POD, Framework.STATEFUL_SET)) {
      if (settings.management().isEnabled(framework)) {
        kinds.add(framework.type());
      }
    }
    return kinds;
  }

  /** The group that a Pod names; empty for none. */
  public String groupOf(JsonNode pod) {
    return Pods.group(pod, settings);
  }

  /**
   * The keys to plan when that object was added, changed or removed: of a job, of a Pod, or of a
   * Workload.
   *
   * @param kind the kind of the object
   * @param object as it is, or as it was when it was last seen
   */
  public Set<JobKey> touchedBy(JobWorld world, GroupKind kind, JsonNode object) {
    return Set.of();
  }

  /** What to do about the job, or the group of Pods, with that key. */
  public Plan plan(JobWorld world, JobKey key, Instant now) {
    return new Plan(new ArrayList<>(), Plan.REST.again());
  }
}
