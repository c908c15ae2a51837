package dev.sluice.jobs.reconcile;

import dev.sluice.api.GroupKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Which jobs are managed: by their namespace, by their labels, and by their owners. */
public final class ManagedJobs {
  private static final GroupKind NAMESPACE = new GroupKind("", "Namespace");
  private static final Duration UNTIL_SEEN = Duration.ofSeconds(2);
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  private ManagedJobs() {}

  /** Whether jobs are managed there; a namespace that is not seen yet is known by its name. */
  public static boolean areIn(String namespace, JobWorld world, JobSettings settings) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(NAME_LABEL, namespace);
    world
        .find(NAMESPACE, "", namespace)
        .ifPresent(
            it ->
                it.path("metadata")
                    .path("labels")
                    .properties()
                    .forEach(label -> labels.put(label.getKey(), label.getValue().asText())));
    return settings.management().namespaces().matches(labels);
  }

  /**
   * When to ask again whether jobs are managed there: a namespace that is not seen yet may have the
   * labels that are asked for, and its arrival leads to no job. Empty if it is seen.
   */
  public static Optional<Instant> askAgain(String namespace, JobWorld world, Instant now) {
    return world.find(NAMESPACE, "", namespace).isPresent()
        ? Optional.empty()
        : Optional.of(now.plus(UNTIL_SEEN));
  }

  /** Whether a job is managed by its labels, or because all jobs are. */
  public static boolean include(JobObject job, JobSettings settings) {
    return settings.management().withoutQueueName() || !job.queueName().isEmpty();
  }

  /**
   * Whether a managed owner above an object decides for it.
   *
   * @return empty while an owner is not seen yet, or if the owners cannot be followed
   */
  public static Optional<Boolean> isLedByOwner(
      JobObject object, String namespace, JobWorld world, JobSettings settings) {
    Ancestry ancestry = Ancestry.of(object, namespace, world, settings);
    return ancestry.missing().isPresent() || ancestry.isTooDeep()
        ? Optional.empty()
        : Optional.of(ancestry.manager().isPresent());
  }
}
