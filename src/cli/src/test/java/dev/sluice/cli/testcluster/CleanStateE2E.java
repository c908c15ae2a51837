package dev.sluice.cli.testcluster;

import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What one class of tests leaves on an API server, the next one does not see. */
@FullTier
@NeedsControlPlane
class CleanStateE2E {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String CRATES = "crates.example.com";
  private static final String CRATE = "/apis/example.com/v1/namespaces/left/crates";
  private static final Duration SOON = Duration.ofMinutes(2);

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();

  private static ApiClient api() {
    return CLUSTER.api();
  }

  private static void createAKind() {
    api()
        .create(
            DEFINITIONS,
            """
            {"metadata":{"name":"%s"},"spec":{"group":"example.com","scope":"Namespaced",
            "names":{"kind":"Crate","plural":"crates"},"versions":[{"name":"v1","served":true,
            "storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}\
            """
                .formatted(CRATES))
        .orThrow();
    api().awaitEstablished(CRATES, SOON);
  }

  @Test
  void objectsAndKindsThatWereAddedGoThoughFinalizersHoldThem() {
    CleanState clean = CleanState.of(CLUSTER.controlPlane());
    api().create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"left\"}}").orThrow();
    Kueue.create(api(), RESOURCE_FLAVOR, "left", "{}").orThrow();
    Kueue.create(api(), WORKLOAD, "left", Kueue.workload("left", 1)).orThrow();
    createAKind();
    api()
        .create(
            CRATE,
            """
            {"apiVersion":"example.com/v1","kind":"Crate","metadata":{"name":"left",
            "finalizers":["example.com/held"]}}\
            """)
        .orThrow();

    assertThat(clean.restore()).isEmpty();

    assertThat(api().get("/api/v1/namespaces/left").status()).isEqualTo(404);
    assertThat(api().get(Kueue.path(RESOURCE_FLAVOR, HUB, "left")).status()).isEqualTo(404);
    assertThat(api().get(Kueue.path(WORKLOAD, HUB, "left")).status()).isEqualTo(404);
    assertThat(api().get(DEFINITIONS + "/" + CRATES).status()).isEqualTo(404);
    createAKind();
    assertThat(api().get(CRATE + "/left").status()).as("a kind of that name").isEqualTo(404);
    assertThat(clean.restore()).isEmpty();
  }

  @Test
  void whatWasThereBeforeAndIsChangedIsTold() {
    CleanState clean = CleanState.of(CLUSTER.controlPlane());
    String name = "workloads.kueue.x-k8s.io";
    api()
        .mergePatch(
            DEFINITIONS + "/" + name, "{\"metadata\":{\"labels\":{\"left\":\"by-a-test\"}}}")
        .orThrow();

    assertThat(clean.restore()).get().asString().endsWith("/" + name);
  }

  @Test
  void aWebhookThatWasAddedIsTold() {
    CleanState clean = CleanState.of(CLUSTER.controlPlane());
    api()
        .create(
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
            "{\"metadata\":{\"name\":\"left\"},\"webhooks\":[]}")
        .orThrow();

    assertThat(clean.restore()).get().asString().endsWith("/left");
  }

  @Test
  void anApiServerThatWasStartedAgainIsTold() {
    CleanState clean = CleanState.of(CLUSTER.controlPlane());
    CLUSTER.controlPlane().restartApiServer();

    assertThat(clean.restore()).isPresent();
  }
}
