package dev.sluice.cli.installed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An installed server that nobody has started yet holds up nobody, and one that runs is asked. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(600)
@SuppressWarnings("NullAway.Init") // set before each test
class RegistrationE2E {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String WORKLOADS =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";
  private static final String STATUS = WORKLOADS + "/w/status";
  private static final String WORKLOAD =
      """
      {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"w"},"spec":{
      "queueName":"q","podSets":[{"name":"main","count":1,"template":{"spec":{"containers":[
      {"name":"c","image":"i"}]}}}]}}\
      """;
  private static final String ADMISSION =
      """
      {"status":{"admission":{"clusterQueue":"cq","podSetAssignments":[{"name":"main"}]}}}\
      """;
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final List<String> CONFIGURATIONS =
      List.of(
          GROUP + "mutatingwebhookconfigurations/sluice-mutating",
          GROUP + "validatingwebhookconfigurations/sluice-validating");

  @TempDir private Path folder;
  private ControlPlane controlPlane;
  private ApiClient api;

  @BeforeEach
  void start() {
    controlPlane =
        ControlPlane.start(
            ControlPlane.Options.apiServer()
                .withParts(Set.of(Part.KUBE_CONTROLLER_MANAGER))
                .withDirectory(folder.resolve("control-plane"))
                .withApiServerFlags(
                    "--enable-admission-plugins=OwnerReferencesPermissionEnforcement"));
    api = controlPlane.client();
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  @Test
  void jobsAreCreatedFreelyUntilAServerAnswersAndAreReviewedFromThenOn() throws Exception {
    int port = Ports.free();
    String url = "https://127.0.0.1:" + port;
    List<JsonNode> documents = Printed.leadingTo(url);
    Printed.apply(api, documents);

    assertThat(createsAJob().json().at("/spec/suspend").asBoolean())
        .as("what nobody reviews is created as it is")
        .isFalse();

    try (SluiceProcess server = serve(url, port)) {
      await("reviews decide, and no call failed before", server, this::isEffective);
      assertThat(createsAJob().json().at("/spec/suspend").asBoolean())
          .as("the server has suspended it")
          .isTrue();

      for (String configuration : CONFIGURATIONS) {
        api.delete(configuration).orThrow();
      }
      await("a deletion is repaired", server, this::isEffective);

      JsonNode role =
          documents.stream()
              .filter(it -> it.path("kind").asText().equals("ClusterRole"))
              .findFirst()
              .orElseThrow();
      api.delete(Printed.path(role)).orThrow(); // as kubectl delete does, among all the others
      await("what is uninstalled leaves no webhook", server, this::areGone);
    }
    createsAJob();
  }

  @Test
  void aServerThatTheApiServerDoesNotReachRefusesNoWrite() throws Exception {
    int port = Ports.free();
    String elsewhere = "https://127.0.0.1:" + Ports.free(); // nobody answers there
    Printed.apply(api, Printed.leadingTo(elsewhere));

    try (SluiceProcess server = serve(elsewhere, port)) {
      await(
          "it is registered",
          server,
          () -> CONFIGURATIONS.stream().allMatch(it -> api.get(it).isSuccess()));
      for (int i = 0; i < 20; i++) {
        createsAJob();
      }
      assertThat(isEffective()).as("no review has come").isFalse();
    }
  }

  /** While the server is away, what it is asked about fails, and nothing else. */
  @Test
  void aStatusOfTheSchedulerIsReviewedOnlyWhereItChangesAnAdmission() throws Exception {
    int port = Ports.free();
    String url = "https://127.0.0.1:" + port;
    Printed.apply(api, Printed.leadingTo(url));
    try (SluiceProcess server = serve(url, port)) {
      await("reviews decide", server, this::isEffective);
      api.create(WORKLOADS, WORKLOAD).orThrow();
      api.mergePatch(STATUS, waits("at first")).orThrow();
    }

    String token = api.serviceAccountToken("sluice-system", "sluice-scheduler");
    try (ApiClient scheduler = new ApiClient(controlPlane.server(), token, controlPlane.caPem())) {
      assertThat(scheduler.mergePatch(STATUS, waits("for quota")).isSuccess()).isTrue();
      assertThat(
              scheduler
                  .mergePatch(WORKLOADS + "/w", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                  .body())
          .as("another write than one of the status")
          .contains("failed calling webhook \\\"vworkload.kb.io");
      assertThat(scheduler.mergePatch(STATUS, ADMISSION).body())
          .contains("failed calling webhook \\\"vworkload.kb.io");
    }
    assertThat(api.mergePatch(STATUS, waits("says somebody else")).body())
        .contains("failed calling webhook \\\"vworkload.kb.io");
  }

  private static String waits(String message) {
    return """
    {"status":{"conditions":[{"type":"QuotaReserved","status":"False","reason":"Pending",
    "message":"%s","lastTransitionTime":"2026-01-01T12:00:00Z"}]}}\
    """
        .formatted(message);
  }

  private SluiceProcess serve(String url, int port) throws IOException {
    String token = api.serviceAccountToken("sluice-system", "sluice-webhook");
    return SluiceProcess.startFromClasses(
        folder,
        "serve",
        "--register",
        "--url=" + url,
        "--kubeconfig=" + Printed.kubeconfig(controlPlane, token, folder.resolve("account")),
        "--host=127.0.0.1",
        "--port=" + port,
        "--http-port=0",
        "--warm-up=0s",
        "--data=" + folder.resolve("data"));
  }

  /** A dry run, which the API server has reviewed like any other; it fails where it is refused. */
  private ApiClient.Response createsAJob() {
    return api.create(
            JOBS + "?dryRun=All",
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"generateName":"j-","labels":{
            "kueue.x-k8s.io/queue-name":"q"}},"spec":{"template":{"spec":{"restartPolicy":"Never",
            "containers":[{"name":"c","image":"i"}]}}}}\
            """)
        .orThrow();
  }

  /** Whether what is not answered is refused; each look is a write that must succeed. */
  private boolean isEffective() {
    createsAJob();
    for (String configuration : CONFIGURATIONS) {
      ApiClient.Response found = api.get(configuration);
      if (!found.isSuccess()) {
        return false;
      }
      for (JsonNode webhook : found.json().path("webhooks")) {
        boolean guards = webhook.path("name").asText().contains("guard");
        if (!guards && webhook.path("failurePolicy").asText().equals("Ignore")) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean areGone() {
    return CONFIGURATIONS.stream().allMatch(it -> api.get(it).status() == 404);
  }

  private static void await(String what, SluiceProcess server, BooleanSupplier condition) {
    assertThat(Poll.until(SOON, PAUSE, condition)).as(() -> what + "\n" + server.tail()).isTrue();
  }
}
