package dev.sluice.jobs.plan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.meta.TypedObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs rest on which other objects, present or missing: such an object does not name the job,
 * so its change could not be mapped to the job. A kill loses this index, but all jobs are planned
 * after one. Thread-safe.
 */
public final class DependencyIndex {
  @GuardedBy("this")
  private final Map<JobKey, Set<TypedObjectKey>> byJob = new HashMap<>();

  @GuardedBy("this")
  private final Map<TypedObjectKey, Set<JobKey>> byName = new HashMap<>();

  /** The job waits for these and no others. */
  public synchronized void note(JobKey job, Set<TypedObjectKey> names) {
    Set<TypedObjectKey> before =
        names.isEmpty() ? byJob.remove(job) : byJob.put(job, Set.copyOf(names));
    if (before != null) {
      before.forEach(name -> byName.computeIfPresent(name, (_, jobs) -> without(jobs, job)));
    }
    names.forEach(name -> byName.computeIfAbsent(name, _ -> new HashSet<>()).add(job));
  }

  private static @Nullable Set<JobKey> without(Set<JobKey> jobs, JobKey job) {
    jobs.remove(job);
    return jobs.isEmpty() ? null : jobs;
  }

  /** Who waits for that object. */
  public synchronized Set<JobKey> waitingFor(TypedObjectKey name) {
    return Set.copyOf(byName.getOrDefault(name, Set.of()));
  }
}
