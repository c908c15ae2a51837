package dev.sluice.jobs.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.rules.Field;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Warnings about accepted jobs that will not work as intended: a missing queue, an unmanaged
 * namespace, an unknown key of our domain. Given only for new or changed fields.
 */
public final class JobWarnings {
  private JobWarnings() {}

  /** Adds the warnings. */
  public static void give(JobReview review, ValidationResult findings) {
    JobObject job = review.job();
    String before = review.oldJob().map(JobObject::queueName).orElse("");
    if (!job.queueName().isEmpty() && !job.queueName().equals(before)) {
      warnOfQueue(review, job, findings);
    }
    warnOfKeys(review, job, findings);
  }

  private static void warnOfQueue(JobReview review, JobObject job, ValidationResult findings) {
    Field label = job.label(Labels.QUEUE_NAME);
    if (!review.isManagedNamespace(true)) {
      findings.warn(
          "%s: has no effect: jobs in namespace %s are not managed"
              .formatted(label.path(), ValueText.quoted(review.input().namespace())));
    } else if (review.knowsLocalQueues()) {
      Optional<JsonNode> queue = review.localQueue(job.queueName());
      if (queue.isEmpty()) {
        findings.warn(
            "%s: there is no %s yet; the job waits until there is"
                .formatted(label.path(), queueText(review, job)));
      } else if (isStopped(queue.get())) {
        findings.warn(
            "%s: %s is stopped; the job waits until it goes on"
                .formatted(label.path(), queueText(review, job)));
      }
    }
  }

  private static String queueText(JobReview review, JobObject job) {
    return "LocalQueue %s in namespace %s"
        .formatted(ValueText.quoted(job.queueName()), ValueText.quoted(review.input().namespace()));
  }

  private static boolean isStopped(JsonNode queue) {
    String policy = queue.path("spec").path("stopPolicy").asText("None");
    return !policy.isEmpty() && !policy.equals("None");
  }

  private static void warnOfKeys(JobReview review, JobObject job, ValidationResult findings) {
    Map<String, JsonNode> before = new HashMap<>();
    review
        .oldJob()
        .ifPresent(
            old ->
                maps(review.kind(), old.root())
                    .forEach(map -> before.putIfAbsent(map.path(), map.node())));
    for (Field map : maps(review.kind(), job.root())) {
      for (Map.Entry<String, JsonNode> entry : map.node().properties()) {
        String key = entry.getKey();
        if (key.startsWith(Domains.KUEUE) && !has(before, map, key)) {
          KnownKeys.problem(key, map.path().endsWith("labels"))
              .ifPresent(problem -> findings.warn(map.key(key).path() + ": " + problem));
        }
      }
    }
  }

  private static boolean has(Map<String, JsonNode> before, Field map, String key) {
    JsonNode old = before.isEmpty() ? null : before.get(map.path());
    return old != null && old.has(key);
  }

  private static List<Field> maps(JobKind kind, Field root) {
    List<Field> maps = new ArrayList<>();
    addMaps(root.child("metadata"), maps);
    for (Field metadata : kind.templates(root)) {
      if (!metadata.path().equals("metadata")) {
        addMaps(metadata, maps);
      }
    }
    return maps;
  }

  private static void addMaps(Field metadata, List<Field> maps) {
    maps.add(metadata.child("labels"));
    maps.add(metadata.child("annotations"));
  }
}
