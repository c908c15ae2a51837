package dev.sluice.jobs.pod;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.names.Subdomain;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.NameSource;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Texts;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.OptionalLong;

/** Pods that wait together: all name their group and how many they are. */
final class PodGroupRules {
  private PodGroupRules() {}

  static void check(JobReview review, JobObject pod, ValidationResult findings) {
    NameSource source = NameSource.podGroup(review);
    Field count = pod.annotation(Annotations.POD_GROUP_TOTAL_COUNT);
    if (source.name(pod).isEmpty()) {
      if (count.isPresent()) {
        findings.add(
            FieldError.required(
                source.place(pod),
                "must name the group that " + Annotations.POD_GROUP_TOTAL_COUNT + " counts"));
      }
      return;
    }
    List<String> problems = Subdomain.problems(source.name(pod));
    if (!problems.isEmpty()) {
      findings.add(FieldError.invalid(source.place(pod), String.join(", ", problems)));
    }
    checkCount(count, findings);
  }

  private static void checkCount(Field count, ValidationResult findings) {
    if (!count.isPresent()) {
      findings.add(FieldError.required(count, "must say how many Pods the group has"));
      return;
    }
    OptionalLong number = Texts.integer(count.text().orElse(""));
    if (number.isEmpty() || number.getAsLong() < 1) {
      findings.add(FieldError.invalid(count, "must be a number of Pods, at least 1"));
    }
  }

  static void checkPrebuilt(JobReview review, JobObject pod, ValidationResult findings) {
    NameSource prebuilt = NameSource.prebuilt(review);
    String group = NameSource.podGroup(review).name(pod);
    String workload = prebuilt.name(pod);
    if (!group.isEmpty() && !workload.isEmpty() && !group.equals(workload)) {
      findings.add(
          FieldError.invalid(
              prebuilt.place(pod), "must be the name of the group, which is also its Workload's"));
    }
  }

  static void checkChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {
    NameSource source = NameSource.podGroup(review);
    String before = source.name(old);
    String after = source.name(now);
    Field retriable = now.annotation(Annotations.RETRIABLE_IN_GROUP);
    if (!after.isEmpty()
        && old.annotationText(Annotations.RETRIABLE_IN_GROUP).equals("false")
        && !retriable.text().orElse("").equals("false")) {
      findings.add(
          FieldError.forbidden(retriable, "must stay false: what cannot be retried stays so"));
    }
    if (!before.isEmpty() && !before.equals(after)) {
      findings.add(
          FieldError.invalid(
              source.place(now).path(),
              TextNode.valueOf(after),
              "must not change: a Pod stays in its group"));
    }
  }
}
