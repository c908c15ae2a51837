package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real Workload that waits is told once when it will start, and keeps that when it has. */
@FullTier
@NeedsControlPlane
@Timeout(600)
class ForecastAnnotationE2E {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final String OURS = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final String WORKLOADS = OURS + "namespaces/default/workloads";

  @TempDir private Path folder;

  private static void create(ApiClient admin, String kind, String collection, String members) {
    String json = "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s',%s}".formatted(kind, members);
    admin.create(OURS + collection, json.replace('\'', '"')).orThrow();
  }

  /** One that says that it runs for an hour. */
  private static void workload(ApiClient admin, String name) {
    create(
        admin,
        "Workload",
        "namespaces/default/workloads",
        """
        'metadata':{'name':'%s','annotations':{'sluice.dev/runs-for':'1h'}},
        'spec':{'queueName':'team','podSets':[{'name':'main','count':1,
        'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i',
        'resources':{'requests':{'cpu':'1'}}}]}}}]}\
        """
            .formatted(name));
  }

  private static String annotation(JsonNode workload) {
    return workload.path("metadata").path("annotations").path(Annotations.FORECAST).asText();
  }

  private static JsonNode told(ApiClient admin, String name) {
    return admin.await(WORKLOADS + "/" + name, BOUND, it -> !annotation(it).isEmpty()).json();
  }

  private static JsonNode withQuota(ApiClient admin, String name) {
    return admin
        .await(WORKLOADS + "/" + name, BOUND, it -> it.path("status").has("admission"))
        .json();
  }

  private static String metrics(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                  .timeout(Duration.ofSeconds(30))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void whoWaitsHasTheWindowAsAnAnnotationByOneWrite() throws Exception {
    var place =
        new HistoryPlace(folder.resolve("history"), HistoryPlace.USUAL_BOUND)
            .annotatingBy("sluice-system");
    try (Aggregated setting = new Aggregated(folder, place)) {
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
      try (Scheduling scheduling =
          Scheduling.alone(
              setting.cluster.kubeconfig(), Chosen.defaults("sluice-system"), new Supervisor())) {
        assertThat(scheduling).isNotNull();
        workload(admin, "first");
        withQuota(admin, "first");
        workload(admin, "second");
        JsonNode second = told(admin, "second");
        assertThat(annotation(second))
            .matches("Window from=\\S+Z likely=\\S+Z until=\\S+Z asOf=\\S+Z");
        assertThat(second.at("/metadata/managedFields").toString()).contains("sluice-forecasts");
        assertThat(second.path("status").has("admission")).isFalse();

        workload(
            admin, "third"); // with the forecast after that, by which the second stays as it is
        told(admin, "third");
        assertThat(metrics(setting.httpPort()))
            .contains("sluice_forecast_annotations_total{result=\"written\"} 2");

        admin.delete(WORKLOADS + "/first").orThrow();
        assertThat(annotation(withQuota(admin, "second"))).isEqualTo(annotation(second));
        assertThat(admin.get(WORKLOADS + "/first").json().at("/metadata/annotations").toString())
            .doesNotContain(Annotations.FORECAST);
      }
    }
  }
}
