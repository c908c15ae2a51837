package dev.sluice.cli.doctor.multikueue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Lists;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.scheduler.write.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Jobs that never go to a worker, since their managedBy is missing or names somebody else. */
final class UnmanagedJobs {
  /** The conditions that say, for one kind or another, that a job is over. */
  private static final List<String> ENDS = List.of("Complete", "Completed", "Succeeded", "Failed");

  /** What says the same of a RayJob. */
  private static final Set<String> ENDED = Set.of("Complete", "Failed");

  private final Cluster cluster;
  private final JobSettings jobs;

  UnmanagedJobs(Cluster cluster, JobSettings jobs) {
    this.cluster = cluster;
    this.jobs = jobs;
  }

  /**
   * Looks for them, kind by kind. A kind that cannot be listed is left out.
   *
   * @param queues the LocalQueues whose jobs go to workers
   */
  void check(Set<ObjectKey> queues, Findings findings) {
    JobKinds.remoteOfEnabled(jobs)
        .forEach(
            (kind, remote) ->
                remote.managedBy().ifPresent(path -> check(kind, path, queues, findings)));
  }

  private void check(
      GroupVersionKind kind, List<String> path, Set<ObjectKey> queues, Findings findings) {
    List<String> late = new ArrayList<>();
    List<String> others = new ArrayList<>();
    String collection = "/apis/%s/%s".formatted(kind.apiVersion(), Paths.plural(kind));
    for (JsonNode job : Lists.all(cluster, collection, Labels.QUEUE_NAME).orElse(List.of())) {
      ObjectKey key = ObjectKey.of(job);
      String queue = job.path("metadata").path("labels").path(Labels.QUEUE_NAME).asText();
      if (!queues.contains(new ObjectKey(key.namespace(), queue)) || hasEnded(job)) {
        continue;
      }
      String manager = managedBy(job, path);
      if (manager.isEmpty()) {
        late.add(key.toString());
      } else if (!manager.equals(Controllers.MULTI_KUEUE)) {
        others.add(key + " (" + manager + ")");
      }
    }
    String field = String.join(".", path);
    if (!late.isEmpty()) {
      findings.warning(
          kind.kind() + "s without managedBy",
          "%s cannot go to a worker: %s is not set, since their LocalQueue got its check later"
              .formatted(MultiKueueCheck.named(late), field),
          "delete them and make them again");
    }
    if (!others.isEmpty()) {
      findings.warning(
          kind.kind() + "s with another managedBy",
          "%s cannot go to a worker: %s names another controller"
              .formatted(MultiKueueCheck.named(others), field),
          "use another LocalQueue, or make them again with %s: %s"
              .formatted(field, Controllers.MULTI_KUEUE));
    }
  }

  private static String managedBy(JsonNode job, List<String> path) {
    JsonNode field = job;
    for (String step : path) {
      field = field.path(step);
    }
    return field.asText("");
  }

  private static boolean hasEnded(JsonNode job) {
    return ENDS.stream().anyMatch(it -> Conditions.isTrue(job, it))
        || ENDED.contains(job.path("status").path("jobDeploymentStatus").asText());
  }
}
