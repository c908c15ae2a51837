package dev.sluice.jobs.admission;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.workload.PodSet;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Texts;
import dev.sluice.rules.Field;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.quota.QuotaView;
import java.util.Optional;
import java.util.OptionalLong;

/** Warns of a job that its ClusterQueue could not give quota if it were empty. */
public final class NeverFits {
  private NeverFits() {}

  public static void warn(
      JobReview review, JobObject job, Field template, long pods, ValidationResult findings) {
    QuotaView quota = review.input().world().quota();
    if (quota.snapshot().isEmpty()) {
      return;
    }
    Optional<String> clusterQueue = review.input().clusterQueueOf(job.queueName());
    if (clusterQueue.isEmpty() || !template.isPresent()) {
      return; // reading the template is a large part of the cost of all rules
    }
    ObjectNode podSet = JsonNodeFactory.instance.objectNode();
    podSet.put("name", "main").put("count", pods).set("template", template.node());
    OptionalLong least =
        Texts.integer(job.annotation(Annotations.JOB_MIN_PARALLELISM).text().orElse(""));
    least.ifPresent(it -> podSet.put("minCount", Math.min(it, pods)));
    try {
      quota
          .neverFits(clusterQueue.get(), HubObjects.read(PodSet.class, podSet))
          .ifPresent(
              shortage ->
                  findings.warn(
                      template.path()
                          + ": the job is never to be admitted: "
                          + shortage.sentence()));
    } catch (MalformedObjectException _) {
      // the API server says what is wrong with a template
    }
  }
}
