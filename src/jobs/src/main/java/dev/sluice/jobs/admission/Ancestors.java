package dev.sluice.jobs.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.rules.Denial;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The chain of controlling owners of a job. A job below a managed owner is queued with that owner,
 * so it is not queued itself.
 *
 * <p>The chain ends at an owner that is not a job, at an owner of an unwatched kind, and at one
 * that was replaced by another of its name.
 */
public final class Ancestors {
  private static final int MAX_ANCESTORS = 10;

  private Ancestors() {}

  /**
   * Whether there is a managed owner above. Fails the findings if an owner is not there, if the
   * owners go round in a circle, or if there are more than 10.
   */
  public static boolean leadsToManager(JobReview review, JobObject job, ValidationResult findings) {
    boolean found = false;
    Set<String> seen = new HashSet<>(Set.of(job.uid()));
    Optional<JobObject.Owner> next = step(review, job);
    while (next.isPresent()) {
      JobObject.Owner reference = next.get();
      Optional<JsonNode> owner =
          review.view().find(reference.kind(), review.input().namespace(), reference.name());
      if (owner.isEmpty()) {
        findings.fail(missing(reference, review));
        return false;
      }
      JobObject object = JobObject.of(owner.get());
      if (!object.uid().equals(reference.uid())) {
        return found;
      }
      if (!seen.add(reference.uid()) || seen.size() > MAX_ANCESTORS + 1) {
        findings.fail(endless(reference));
        return false;
      }
      found = found || manages(review, reference.kind(), object);
      next = step(review, object);
    }
    return found;
  }

  private static Optional<JobObject.Owner> step(JobReview review, JobObject object) {
    return object
        .controller()
        .filter(owner -> review.integrations().isKnown(owner.kind(), review.settings()))
        .filter(owner -> review.view().knows(owner.kind()));
  }

  private static boolean manages(JobReview review, GroupKind kind, JobObject owner) {
    return review.integrations().isManager(kind, review.settings()) && review.isManaged(owner);
  }

  private static Denial missing(JobObject.Owner owner, JobReview review) {
    return new Denial(
        404,
        "NotFound",
        "metadata.ownerReferences: %s %s is not found in namespace %s (expected: the owner that"
                .formatted(
                    owner.kind(),
                    ValueText.quoted(owner.name()),
                    ValueText.quoted(review.input().namespace()))
            + " controls this object; if it was just created, try again)");
  }

  private static Denial endless(JobObject.Owner owner) {
    return new Denial(
        403,
        "Forbidden",
        "metadata.ownerReferences: the owners above, such as %s %s, go round in a circle or are"
                .formatted(owner.kind(), ValueText.quoted(owner.name()))
            + " more than 10 (expected: at most 10, none twice)");
  }
}
