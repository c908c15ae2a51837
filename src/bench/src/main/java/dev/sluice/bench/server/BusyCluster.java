package dev.sluice.bench.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.ObjectView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The cluster that the measured server knows: a thousand teams with a queue each. Jobs and Pods are
 * managed.
 */
final class BusyCluster {
  private static final int TEAMS = 1000;
  private static final JsonMapper MAPPER = new JsonMapper();

  static final ReviewContext WORLD = new ReviewContext(ObjectView.of(objects()), settings());

  private BusyCluster() {}

  private static Settings settings() {
    Settings usual = Settings.DEFAULT;
    return new Settings(
        usual.manageJobsWithoutQueueName(),
        usual.managedNamespaces(),
        Set.of("batch/job", "pod"),
        usual.externalFrameworks(),
        usual.gates(),
        usual.podGuard());
  }

  private static List<JsonNode> objects() {
    List<JsonNode> objects = new ArrayList<>();
    objects.add(
        object(
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue",
             "metadata":{"name":"all"},"spec":{}}\
            """));
    for (int i = 0; i < TEAMS; i++) {
      objects.add(
          object(
              """
              {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"team-%d",
               "labels":{"kubernetes.io/metadata.name":"team-%d"}}}\
              """
                  .formatted(i, i)));
      objects.add(
          object(
              """
              {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"LocalQueue",
               "metadata":{"name":"queue","namespace":"team-%d"},
               "spec":{"clusterQueue":"all"}}\
              """
                  .formatted(i)));
    }
    return objects;
  }

  private static JsonNode object(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }
}
