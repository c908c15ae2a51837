package dev.sluice.jobs.admission;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.names.Subdomain;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Texts;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.gates.AdmissionGatedBy;
import java.util.List;
import java.util.OptionalLong;

/** The rules of jobs of all kinds, on creation and on updates. */
public final class CommonRules {
  private static final String IMMUTABLE = "must not change while the job is not suspended";

  private CommonRules() {}

  /**
   * A change of a job that can be suspended.
   *
   * @param wasSuspended whether the stored job is
   * @param isSuspended whether the new one is
   */
  public record Change(
      JobReview review, JobObject old, JobObject now, boolean wasSuspended, boolean isSuspended) {}

  /** The rules of every new job, and of most updates; all but its gates. */
  public static void checkNew(JobReview review, JobObject job, ValidationResult findings) {
    checkQueueName(job, findings);
    checkPrebuilt(review, job, findings);
    checkMaxExecTime(job, findings);
    checkElastic(review, job, findings);
  }

  /** The queue name must be the name of an object, where the label is there at all. */
  public static void checkQueueName(JobObject job, ValidationResult findings) {
    Field label = job.label(Labels.QUEUE_NAME);
    if (!label.node().isMissingNode()) {
      checkName(label, label.text().orElse(""), findings);
    }
  }

  private static void checkName(Field field, String name, ValidationResult findings) {
    List<String> problems = Subdomain.problems(name);
    if (!problems.isEmpty()) {
      findings.add(
          FieldError.invalid(field.path(), TextNode.valueOf(name), String.join(", ", problems)));
    }
  }

  private static void checkPrebuilt(JobReview review, JobObject job, ValidationResult findings) {
    NameSource source = NameSource.prebuilt(review);
    Field place = source.place(job);
    if (source.isAnnotation(job) || !place.node().isMissingNode()) {
      checkName(place, place.text().orElse(""), findings);
    }
    if (!source.name(job).isEmpty() && !review.kind().takesPrebuiltWorkload()) {
      findings.add(
          FieldError.forbidden(
              place, "must not be set: a " + review.kind().kind().kind() + " makes its Workload"));
    }
  }

  private static void checkMaxExecTime(JobObject job, ValidationResult findings) {
    Field label = job.label(Labels.MAX_EXEC_TIME);
    if (label.node().isMissingNode()) {
      return;
    }
    String text = label.text().orElse("");
    OptionalLong seconds = Texts.integer(text);
    if (seconds.isEmpty()) {
      findings.add(
          FieldError.invalid(
              label.path(), TextNode.valueOf(text), "must be a number of seconds, such as 3600"));
    } else if (seconds.getAsLong() <= 0) {
      findings.add(
          FieldError.invalid(
              label.path(), LongNode.valueOf(seconds.getAsLong()), "must be greater than 0"));
    } else if (seconds.getAsLong() > Integer.MAX_VALUE) {
      findings.warn(
          label.path() + ": " + text + " has no effect: limits end at 2147483647 seconds");
    }
  }

  /** Only some kinds can be scaled while they run. */
  public static void checkElastic(JobReview review, JobObject job, ValidationResult findings) {
    if (review.isElastic(job) && !review.kind().canBeElastic()) {
      findings.add(
          FieldError.forbidden(
              job.annotation(Annotations.ELASTIC_JOB),
              "must not be true: a "
                  + review.kind().kind().kind()
                  + " cannot be scaled while it runs"));
    }
  }

  /** The rules of every update. */
  public static void checkChange(Change change, ValidationResult findings) {
    checkQueueChange(change, findings);
    checkPrebuiltChange(change, findings);
    checkMaxExecTimeChange(change, findings);
    checkPriorityChange(change.old(), change.now(), change.isSuspended(), findings);
    checkElasticChange(change, findings);
    AdmissionGatedBy.check(change.review().input(), findings);
  }

  private static void checkQueueChange(Change change, ValidationResult findings) {
    String before = change.old().queueName();
    String after = change.now().queueName();
    Field label = change.now().label(Labels.QUEUE_NAME);
    if (!change.isSuspended() && !before.equals(after)) {
      findings.add(invalid(label, after, IMMUTABLE));
    }
    if (after.isEmpty() && !before.isEmpty() && change.review().hasDefaultLocalQueue()) {
      findings.add(
          invalid(
              label, "", "must not be removed while the namespace has a LocalQueue \"default\""));
    }
  }

  private static FieldError invalid(Field field, String value, String detail) {
    return FieldError.invalid(field.path(), TextNode.valueOf(value), detail);
  }

  private static void checkPrebuiltChange(Change change, ValidationResult findings) {
    JobReview review = change.review();
    if (change.isSuspended() || review.isElastic(change.old())) {
      checkPrebuilt(review, change.now(), findings);
      return;
    }
    NameSource source = NameSource.prebuilt(review);
    String after = source.name(change.now());
    if (!source.name(change.old()).equals(after)) {
      findings.add(invalid(source.place(change.now()), after, IMMUTABLE));
    }
  }

  private static void checkMaxExecTimeChange(Change change, ValidationResult findings) {
    boolean runs = !change.wasSuspended() || !change.isSuspended();
    String after = change.now().labelText(Labels.MAX_EXEC_TIME);
    if (runs && !change.old().labelText(Labels.MAX_EXEC_TIME).equals(after)) {
      findings.add(invalid(change.now().label(Labels.MAX_EXEC_TIME), after, IMMUTABLE));
    }
  }

  /** A priority class may be replaced at any time. It must not be added later, nor removed. */
  public static void checkPriorityChange(
      JobObject old, JobObject now, boolean isSuspended, ValidationResult findings) {
    String before = old.labelText(Labels.PRIORITY_CLASS);
    String after = now.labelText(Labels.PRIORITY_CLASS);
    Field label = now.label(Labels.PRIORITY_CLASS);
    if (before.isEmpty() && !after.isEmpty() && !isSuspended) {
      findings.add(invalid(label, after, "must not be added while the job is not suspended"));
    }
    if (!before.isEmpty() && after.isEmpty()) {
      findings.add(invalid(label, "", "must not be removed; it may name another class"));
    }
  }

  private static void checkElasticChange(Change change, ValidationResult findings) {
    boolean after = change.review().isElastic(change.now());
    if (change.review().isElastic(change.old()) != after) {
      findings.add(
          FieldError.invalid(
              change.now().annotation(Annotations.ELASTIC_JOB).path(),
              BooleanNode.valueOf(after),
              "must not change: a job is elastic from the start, or never"));
    }
  }
}
