package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that are tried on each flavor at once, with the real Job controller. */
@FullTier
@NeedsControlPlane
@Timeout(600)
class ConcurrentAdmissionE2E {
  private static final String JOBS = "/apis/batch/v1/namespaces/racing/jobs";

  private static final String QUEUE =
      """
      {"namespaceSelector":{},"concurrentAdmissionPolicy":{"migration":{
      "mode":"TryPreferredFlavors"}},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
      {"name":"reserved","resources":[{"name":"cpu","nominalQuota":2}]},
      {"name":"spot","resources":[{"name":"cpu","nominalQuota":4}]}]}]}\
      """;

  @RegisterExtension
  private static final OwnCluster CLUSTER = OwnCluster.ofAllParts(FeatureGate.CONCURRENT_ADMISSION);

  private static final SchedulerBeside SCHEDULER =
      new SchedulerBeside(
          CLUSTER,
          """
          featureGates:
            ConcurrentAdmission: true
          """);

  private static void job(String name) {
    CLUSTER
        .api()
        .create(
            JOBS,
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s","labels":{
            "kueue.x-k8s.io/queue-name":"lq"}},"spec":{"suspend":true,"parallelism":2,
            "completions":2,"template":{"spec":{"restartPolicy":"Never","containers":[{
            "name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}}\
            """
                .formatted(name))
        .orThrow();
  }

  /** The flavor that the Job runs on; empty while it does not. */
  private static String flavor(String job) {
    JsonNode spec = CLUSTER.api().get(JOBS + "/" + job).orThrow().json().path("spec");
    return spec.path("suspend").asBoolean()
        ? ""
        : spec.at("/template/spec/nodeSelector/flavor").asText();
  }

  private static void awaitFlavor(String job, String flavor) {
    SCHEDULER.await(
        job + " runs on " + flavor,
        () -> flavor(job).equals(flavor),
        () -> workloads().stream().map(ConcurrentAdmissionE2E::brief).toList().toString());
  }

  private static String brief(JsonNode workload) {
    return "\n" + workload.at("/metadata/name") + " " + workload.path("status");
  }

  private static List<JsonNode> workloads() {
    return CLUSTER
        .api()
        .get(Kueue.collection(WORKLOAD, HUB, "racing"))
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .toList();
  }

  private static List<String> reserved() {
    JsonNode queue = CLUSTER.api().get(Kueue.path(CLUSTER_QUEUE, HUB, "racing")).orThrow().json();
    return queue
        .at("/status/flavorsReservation")
        .valueStream()
        .map(it -> it.path("name").asText() + " " + it.at("/resources/0/total").asText())
        .toList();
  }

  @Test
  void aJobStartsWhereThereIsQuotaMovesToAFlavorThatItPrefersAndLeavesNothingBehind()
      throws IOException, InterruptedException {
    CLUSTER.api().create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"racing\"}}").orThrow();
    for (String flavor : List.of("reserved", "spot")) {
      String labels = "{\"nodeLabels\":{\"flavor\":\"" + flavor + "\"}}";
      Kueue.create(CLUSTER.api(), RESOURCE_FLAVOR, "", flavor, labels).orThrow();
    }
    Kueue.create(CLUSTER.api(), CLUSTER_QUEUE, "", "racing", QUEUE).orThrow();
    Kueue.create(CLUSTER.api(), LOCAL_QUEUE, "racing", "lq", Kueue.localQueue("racing")).orThrow();
    try (SluiceProcess first = SCHEDULER.start()) {
      job("first");
      awaitFlavor("first", "reserved");
      job("second");
      awaitFlavor("second", "spot");
      SCHEDULER.await(
          "quota is counted once",
          () -> reserved().equals(List.of("reserved 2", "spot 2")),
          () -> reserved().toString());
      first.kill();
    }
    CLUSTER.api().delete(JOBS + "/first").orThrow();
    try (SluiceProcess second = SCHEDULER.start()) {
      awaitFlavor("second", "reserved");
      SCHEDULER.await(
          "nothing is left of where it was",
          () -> reserved().equals(List.of("reserved 2", "spot 0")),
          () -> reserved().toString());

      CLUSTER.api().delete(JOBS + "/second").orThrow();

      SCHEDULER.await(
          "no Workload is left",
          () -> workloads().isEmpty(),
          () -> workloads().stream().map(ConcurrentAdmissionE2E::brief).toList().toString());
      SchedulerBeside.stop(second);
    }
  }
}
