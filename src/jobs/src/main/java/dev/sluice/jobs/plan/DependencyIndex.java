package dev.sluice.jobs.plan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.meta.TypedObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs depend on which other objects, present or missing: such an object does not name the
 * job, so its change could not be mapped to the job. A restart loses this index, but then all jobs
 * are planned. Thread-safe.
 */
public final class DependencyIndex {
  @GuardedBy("this")
  private final Map<JobKey, Set<TypedObjectKey>> byJob = new HashMap<>();

  @GuardedBy("this")
  private final Map<TypedObjectKey, Set<JobKey>> byName = new HashMap<>();

  /** Records that the job depends on exactly these objects. */
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

  /** The jobs that depend on that object. */
  public synchronized Set<JobKey> waitingFor(TypedObjectKey name) {
    return Set.copyOf(byName.getOrDefault(name, Set.of()));
  }
}
