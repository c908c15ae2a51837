package dev.sluice.cli.outage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.controlplane.ApiClient;
import java.util.ArrayList;
import java.util.List;

/** CronJobs of every minute, spread over namespaces and queues. */
final class CronJobs {
  private static final String BATCH = "/apis/batch/v1/namespaces/";

  private record Place(String namespace, String name) {
    String path() {
      return BATCH + namespace + "/cronjobs/" + name;
    }
  }

  private final KillableCluster cluster;
  private final List<Place> places = new ArrayList<>();

  /**
   * Creates them.
   *
   * @param completions how many pods a Job has, one after the other
   */
  CronJobs(
      KillableCluster cluster,
      List<String> namespaces,
      List<QueueNode> queues,
      int number,
      int completions) {
    this.cluster = cluster;
    for (int i = 0; i < number; i++) {
      Place place = new Place(namespaces.get(i % namespaces.size()), "cron-" + i);
      places.add(place);
      cluster.create(
          BATCH + place.namespace() + "/cronjobs",
          """
          {"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"%s"},"spec":{
          "schedule":"* * * * *","successfulJobsHistoryLimit":1000,"jobTemplate":{"metadata":{
          "labels":{"kueue.x-k8s.io/queue-name":"%s"}},"spec":{"parallelism":1,"completions":%d,
          "template":{"spec":{"restartPolicy":"Never","terminationGracePeriodSeconds":0,
          "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}}}}\
          """
              .formatted(place.name(), queues.get(i % queues.size()).name(), completions));
    }
  }

  int size() {
    return places.size();
  }

  /** Makes a Job of that one now, as {@code kubectl create job --from} does. */
  void fire(int which, int round) {
    Place place = places.get(which);
    JsonNode cronJob = cluster.api().get(place.path()).orThrow().json();
    JsonNode template = cronJob.at("/spec/jobTemplate");
    ObjectNode job = JsonNodeFactory.instance.objectNode();
    job.put("apiVersion", "batch/v1").put("kind", "Job");
    ObjectNode metadata = template.path("metadata").deepCopy();
    metadata.put("name", place.name() + "-by-hand-" + round);
    metadata.withObjectProperty("annotations").put("cronjob.kubernetes.io/instantiate", "manual");
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "batch/v1")
        .put("kind", "CronJob")
        .put("name", place.name())
        .put("uid", cronJob.at("/metadata/uid").asText())
        .put("controller", true);
    job.set("metadata", metadata);
    job.set("spec", template.path("spec"));
    cluster.create(BATCH + place.namespace() + "/jobs", job.toString());
  }

  /** Makes no more Jobs; what was made goes on. */
  void stop() {
    for (Place place : places) {
      ApiClient.Response stopped =
          cluster.api().mergePatch(place.path(), "{\"spec\":{\"suspend\":true}}");
      stopped.orThrow();
    }
  }
}
