package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.vocabulary.Labels;
import java.util.Optional;

/** The Workload that the controller makes for a Job that names a queue. */
final class JobWorkloads {
  private static final String QUEUE = Labels.QUEUE_NAME;
  private static final String PRIORITY_CLASS = Labels.PRIORITY_CLASS;

  private JobWorkloads() {}

  /** The workload of an object; empty if it is no Job, or one that names no queue. */
  static Optional<JsonNode> of(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    String queue = metadata.path("labels").path(QUEUE).asText();
    boolean job =
        object.path("apiVersion").asText().equals("batch/v1")
            && object.path("kind").asText().equals("Job");
    return job && !queue.isEmpty() ? Optional.of(workload(object, queue)) : Optional.empty();
  }

  private static ObjectNode workload(JsonNode job, String queue) {
    JsonNode metadata = job.path("metadata");
    ObjectNode workload = ((ObjectNode) job).objectNode();
    workload.put("apiVersion", ApiVersion.HUB.groupVersion()).put("kind", "Workload");
    ObjectNode copied = workload.putObject("metadata");
    copied.put("name", "job-" + metadata.path("name").asText());
    for (String field : new String[] {"namespace", "annotations", "creationTimestamp"}) {
      if (metadata.has(field)) {
        copied.set(field, metadata.get(field));
      }
    }
    copied
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "batch/v1")
        .put("kind", "Job")
        .put("name", metadata.path("name").asText())
        .put("uid", metadata.path("uid").asText())
        .put("controller", true);
    ObjectNode spec = workload.putObject("spec").put("queueName", queue);
    String priorityClass = metadata.path("labels").path(PRIORITY_CLASS).asText();
    if (!priorityClass.isEmpty()) {
      spec.putObject("priorityClassRef")
          .put("group", ApiVersion.GROUP)
          .put("kind", "WorkloadPriorityClass")
          .put("name", priorityClass);
    }
    ObjectNode podSet = spec.putArray("podSets").addObject().put("name", "main");
    podSet.put("count", count(job.path("spec")));
    podSet.set("template", job.path("spec").path("template"));
    return workload;
  }

  /** As many pods as run at once, but never more than have to succeed. */
  private static int count(JsonNode spec) {
    int parallelism = spec.path("parallelism").asInt(1);
    return Math.min(parallelism, spec.path("completions").asInt(parallelism));
  }
}
