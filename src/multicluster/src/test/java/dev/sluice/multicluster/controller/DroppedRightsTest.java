package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A right that a worker refuses is reported. The worker is used again once it grants it. */
@FullTier
@Timeout(240)
class DroppedRightsTest {
  private static final String ALL = "/apis/kueue.x-k8s.io/v1beta2";

  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aManager() {
    fleet = new InMemoryFleet(folder);
    fleet.start("a");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private static Answer forbidden(String what) {
    return Answer.of(403, what + " is forbidden");
  }

  private void awaitMessage(String part) {
    await()
        .atMost(InMemoryFleet.AMPLE)
        .untilAsserted(() -> assertThat(fleet.checkMessage("j")).contains(part));
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /apis/kueue.x-k8s.io/v1beta2/namespaces/ns/workloads, create workloads.kueue.x-k8s.io",
    "POST, /apis/batch/v1/namespaces/ns/jobs,                    create jobs.batch",
    "GET,  /apis/batch/v1/namespaces/ns/jobs/j,                  get jobs.batch",
  })
  void aRequestThatIsRefusedIsToldWithVerbAndKindAndSentAgain(
      String method, String path, String told) {
    fleet.worker("a").answer(method + " " + path, forbidden(told));
    fleet.connect("a");
    fleet.job("j");
    boolean isOfJob = method.equals("POST") && path.endsWith("/jobs");
    if (isOfJob) {
      fleet.awaitCopy("a", "j");
      fleet.admit("a", "j");
    }
    awaitMessage("a: " + told + " refused: " + told + " is forbidden");

    fleet.worker("a").mend();
    fleet.awaitCopy("a", "j");
    if (!isOfJob) {
      fleet.admit("a", "j");
    }

    fleet.runs("a", "j");
    assertThat(fleet.worker("a").calls("DELETE")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/namespaces/kube-system",
    "/api/v1/namespaces?",
    ALL + "/localqueues",
    ALL + "/clusterqueues",
  })
  void withoutARightThatItCanDoWithoutAManagerWorks(String path) {
    fleet.worker("a").answer("GET " + path, forbidden(path));
    fleet.connect("a");
    fleet.job("j");

    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");

    fleet.runs("a", "j");
  }

  @ParameterizedTest
  @CsvSource(ALL + "/workloads")
  void aWorkerWhoseWorkloadsMayNotBeListedIsNotConnectedAndSaysWhy(String path) {
    fleet.worker("a").answer("GET " + path, forbidden("workloads"));
    fleet.connect("a");
    fleet.job("j");
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(() -> fleet.active("a").path("message").asText().contains("workloads is forbidden"));
    assertThat(fleet.active("a").path("reason").asText()).isEqualTo("ClientConnectionFailed");

    fleet.worker("a").mend();

    fleet.awaitCopy("a", "j");
  }

  @ParameterizedTest
  @CsvSource({
    "/apis/batch/v1/namespaces/ns/jobs/j,                  delete jobs.batch",
    "/apis/kueue.x-k8s.io/v1beta2/namespaces/ns/workloads, delete workloads.kueue.x-k8s.io",
  })
  void aDeletionThatIsRefusedIsToldOnTheWorkloadAndMadeUpFor(String path, String told) {
    fleet.connect("a");
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");
    fleet.runs("a", "j");
    fleet.worker("a").answer("DELETE " + path, forbidden("it"));

    fleet.finish("j");

    String message = "Worker cluster \"a\": " + told + " refused: it is forbidden";
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(() -> fleet.clusters.events.stream().anyMatch(it -> it.message().equals(message)));
    fleet.worker("a").mend();
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () ->
                !fleet.has("a", Clusters.JOBS + "/j")
                    && !fleet.has("a", Clusters.WORKLOADS + "/j"));
  }
}
