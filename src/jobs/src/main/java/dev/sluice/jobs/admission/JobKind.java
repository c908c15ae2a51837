package dev.sluice.jobs.admission;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.rules.Field;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.settings.Settings;
import java.util.List;
import java.util.Set;

/**
 * A kind of jobs in reviews: its identity, and what it adds to the rules of all jobs. Stateless and
 * thread-safe.
 */
public interface JobKind {
  /** The kind, at the version that reviews of it come in. */
  GroupVersionKind kind();

  /** The name by which configurations turn it on, such as {@code batch/job}. */
  String framework();

  /** Whether its jobs are managed with these settings. */
  default boolean isOn(Settings settings) {
    return Integrations.isOn(framework(), settings);
  }

  /** The operations for which defaults are set. */
  default Set<Operation> defaultedOn() {
    return Set.of(Operation.CREATE);
  }

  /** Whether such a job can use a prebuilt Workload. */
  default boolean takesPrebuiltWorkload() {
    return true;
  }

  /** Whether such a job can be scaled while it runs. */
  default boolean canBeElastic() {
    return false;
  }

  /** Whether the objects that such a job owns are queued by themselves, and the job is not. */
  default boolean isQueuedByWhatItOwns() {
    return false;
  }

  /** The metadata of its Pod templates, for checks of their labels and annotations. */
  default List<Field> templates(Field root) {
    return List.of();
  }

  /** Sets the defaults. Called only while the kind is enabled. */
  void setDefaults(JobReview review, PatchRecorder draft, ValidationResult findings);

  /** Adds the faults of the object. Called only while the kind is enabled. */
  void check(JobReview review, ValidationResult findings);
}
