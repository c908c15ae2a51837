package dev.sluice.jobs.integration;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.RemoteJobs;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * One kind of jobs: the defaults and rules of its webhook, and how the scheduler runs such jobs. To
 * support a new kind, implement this in a package of its own and add one line to {@code JobKinds}.
 * Stateless: any thread may call it.
 */
public interface JobIntegration {
  /**
   * For how long changes of what belongs to one job are gathered where that does not delay it: its
   * Pods come one after the other, and they and the objects of its operator change several times
   * while it starts and ends.
   */
  Duration GATHERING = Duration.ofMillis(200);

  /** The kind in reviews: its defaults and rules. */
  JobKind admission();

  /** How the scheduler runs such jobs. */
  JobLife life();

  /** The kind, at the version that is reviewed and watched. */
  default GroupVersionKind kind() {
    return admission().kind();
  }

  /** The name by which configurations turn it on, such as {@code batch/job}. */
  default String framework() {
    return admission().framework();
  }

  /** Whether the configuration turns the kind on. */
  default boolean isEnabled(JobSettings settings) {
    return Framework.find(framework())
        .filter(it -> settings.management().isEnabled(it))
        .isPresent();
  }

  /** How such jobs run on other clusters; empty if they cannot. */
  default Optional<RemoteJobs> remote(JobSettings settings) {
    return Optional.empty();
  }

  /** Kinds that are read to plan such a job, beside its own; they are watched, too. */
  default Set<GroupVersionKind> reads() {
    return Set.of();
  }

  /** Those of the kinds of {@link #reads} that define the Pods of such a job, before it runs. */
  default Set<GroupVersionKind> runtimes() {
    return Set.of();
  }

  /**
   * The name of the job of this kind, in the namespace of the object, to plan after a change of the
   * object. Called for Pods and for objects of the kinds of {@link #reads}.
   */
  default Optional<String> touchedBy(GroupKind kind, JsonNode object) {
    return Optional.empty();
  }

  /** Whether the plan of a job may differ after that change of an object that touches it. */
  default boolean isNews(GroupKind kind, ObjectChange change) {
    return true;
  }

  /**
   * For how long changes of objects of that kind are gathered before such a job is planned for
   * them. A change of the job itself is planned for at once, but for the status of a kind with
   * steps of its own.
   */
  default Duration gathering(GroupKind changed) {
    return Duration.ZERO;
  }
}
