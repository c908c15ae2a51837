package dev.sluice.webhook.rules.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.webhook.rules.Field;
import dev.sluice.webhook.rules.Findings;
import dev.sluice.webhook.rules.ValueText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Warnings about jobs that are accepted and will not do what was meant: a queue that is not there,
 * a namespace where nothing is managed, a key of ours that nobody reads. Given for what is new in
 * the object, not again with every change of something else.
 */
public final class Advice {
  private Advice() {}

  /** Adds the warnings. */
  public static void give(JobReview review, Findings findings) {
    JobObject job = review.job();
    String before = review.oldJob().map(JobObject::queueName).orElse("");
    if (!job.queueName().isEmpty() && !job.queueName().equals(before)) {
      warnOfQueue(review, job, findings);
    }
    warnOfKeys(review, job, findings);
  }

  private static void warnOfQueue(JobReview review, JobObject job, Findings findings) {
    Field label = job.label(Keys.QUEUE_NAME);
    String namespace = ValueText.quoted(review.input().namespace());
    if (!review.isManagedNamespace(true)) {
      findings.warn(
          label.path() + ": has no effect: jobs in namespace " + namespace + " are not managed");
    } else if (review.knowsLocalQueues()) {
      Optional<JsonNode> queue = review.localQueue(job.queueName());
      String name =
          "LocalQueue " + ValueText.quoted(job.queueName()) + " in namespace " + namespace;
      if (queue.isEmpty()) {
        findings.warn(
            label.path() + ": there is no " + name + " yet; the job waits until there is");
      } else if (isStopped(queue.get())) {
        findings.warn(label.path() + ": " + name + " is stopped; the job waits until it goes on");
      }
    }
  }

  private static boolean isStopped(JsonNode queue) {
    String policy = queue.path("spec").path("stopPolicy").asText("None");
    return !policy.isEmpty() && !policy.equals("None");
  }

  private static void warnOfKeys(JobReview review, JobObject job, Findings findings) {
    List<Field> before =
        review.oldJob().map(old -> maps(review.kind(), old.root())).orElse(List.of());
    for (Field map : maps(review.kind(), job.root())) {
      JsonNode old =
          before.stream()
              .filter(it -> it.path().equals(map.path()))
              .findFirst()
              .map(Field::node)
              .orElse(map.node().path(""));
      map.node()
          .fieldNames()
          .forEachRemaining(
              key -> {
                if (key.startsWith(Keys.DOMAIN) && !old.has(key)) {
                  KnownKeys.problem(key, map.path().endsWith("labels"))
                      .ifPresent(problem -> findings.warn(map.key(key).path() + ": " + problem));
                }
              });
    }
  }

  private static List<Field> maps(JobKind kind, Field root) {
    List<Field> metadata = new ArrayList<>(List.of(root.child("metadata")));
    kind.templates(root).stream()
        .filter(it -> !it.path().equals("metadata"))
        .forEach(metadata::add);
    return metadata.stream()
        .flatMap(it -> List.of(it.child("labels"), it.child("annotations")).stream())
        .toList();
  }
}
