package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real cluster does is in the history, and those who wait have forecasts. */
@FullTier
@NeedsControlPlane
class PastE2E {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final String API = "/apis/view.sluice.dev/v1alpha1";
  private static final String OURS = "/apis/kueue.x-k8s.io/v1beta2/";

  @TempDir private Path folder;

  private static void create(ApiClient admin, String kind, String collection, String members) {
    String json = "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s',%s}".formatted(kind, members);
    admin.create(OURS + collection, json.replace('\'', '"')).orThrow();
  }

  private static void workload(ApiClient admin, String name) {
    create(
        admin,
        "Workload",
        "namespaces/default/workloads",
        """
        'metadata':{'name':'%s'},'spec':{'queueName':'team','podSets':[{'name':'main','count':1,
        'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i',
        'resources':{'requests':{'cpu':'1'}}}]}}}]}\
        """
            .formatted(name));
  }

  private static List<String> steps(JsonNode page, String name) {
    List<String> steps = new ArrayList<>();
    for (JsonNode item : page.path("items")) {
      if (item.path("name").asText().equals(name)) {
        steps.add(item.path("step").asText());
      }
    }
    return steps;
  }

  @Test
  void aRealReservationIsInTheHistoryAndWhoWaitsHasAForecast() throws IOException {
    try (Aggregated setting = new Aggregated(folder)) {
      ApiClient admin = setting.cluster.client();
      create(admin, "ResourceFlavor", "resourceflavors", "'metadata':{'name':'f'},'spec':{}");
      create(
          admin,
          "ClusterQueue",
          "clusterqueues",
          """
          'metadata':{'name':'cq'},'spec':{'namespaceSelector':{},'resourceGroups':[
          {'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
          {'name':'cpu','nominalQuota':'1'}]}]}]}\
          """);
      create(
          admin,
          "LocalQueue",
          "namespaces/default/localqueues",
          "'metadata':{'name':'team'},'spec':{'clusterQueue':'cq'}");
      admin.await(API + "/standing", BOUND, it -> it.has("items"));
      try (Scheduling scheduling =
          Scheduling.alone(
              setting.cluster.kubeconfig(), Chosen.defaults("sluice-system"), new Supervisor())) {
        assertThat(scheduling).isNotNull();
        workload(admin, "first");
        admin.await(API + "/history", BOUND, it -> steps(it, "first").contains("Reserved"));
        workload(admin, "second");
        JsonNode waiting =
            admin
                .await(
                    API + "/namespaces/default/workloads/second/forecast",
                    BOUND,
                    it -> it.has("forecast"))
                .json();
        assertThat(waiting.at("/forecast/status").asText()).isEqualTo("TooLittleHistory");

        admin.delete(OURS + "namespaces/default/workloads/first").orThrow();

        admin.await(
            API + "/history",
            BOUND,
            it -> steps(it, "first").contains("Gone") && steps(it, "second").contains("Reserved"));
      }
    }
  }
}
