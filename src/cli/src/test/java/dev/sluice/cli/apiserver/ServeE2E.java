package dev.sluice.cli.apiserver;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.TOPOLOGY;
import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.Commands;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server beside a cluster tells it whom to trust. */
@FullTier
@NeedsControlPlane
class ServeE2E {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final String MUTATING =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/sluice-mutating";
  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/sluice-validating";

  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

  @TempDir Path folder;

  @Test
  void putsItsCaBundleWhereTheApiServerLooksAndConversionWorks(ControlPlane cluster)
      throws Exception {
    ApiClient api = cluster.client();
    int port = Ports.free();
    install(api, port);
    Path data = folder.resolve("data");

    try (var serving = serve(cluster.kubeconfig(), port, data)) {
      awaitBundles(api, EnumSet.allOf(ApiKind.class), data);

      api.await(CRDS + TOPOLOGY.crdName(), SOON, _ -> created(api));
      var read = api.get(Kueue.path(TOPOLOGY, V1BETA1, "served")).orThrow().json();
      var refused =
          api.create(
              Kueue.collection(TOPOLOGY, V1BETA1), Kueue.object(TOPOLOGY, V1BETA1, "bad", ""));

      assertThat(Kueue.levels(read)).containsExactly("block", "rack");
      assertThat(refused.status()).as(refused.body()).isEqualTo(403);
      install(api, port); // a second apply must not take the bundle away
      assertThat(
              isTrusted(
                  api.get(CRDS + TOPOLOGY.crdName())
                      .orThrow()
                      .json()
                      .at("/spec/conversion/webhook/clientConfig"),
                  data))
          .isTrue();
      assertThat(serving.err())
          .contains("serving reviews on https://127.0.0.1:" + port)
          .doesNotContain("retrying", "ERROR");
    }
  }

  private SluiceProcess serve(Path kubeconfig, int port, Path data) throws IOException {
    return SluiceProcess.start(
        folder,
        "serve",
        "--kubeconfig",
        kubeconfig.toString(),
        "--host",
        "127.0.0.1",
        "--port",
        Integer.toString(port),
        "--http-port",
        "0",
        "--data",
        data.toString());
  }

  @Test
  void anObjectThatItMayNotChangeKeepsNoOtherFromItsBundle(ControlPlane cluster) throws Exception {
    ApiClient api = cluster.client();
    int port = Ports.free();
    install(api, port);
    Path data = folder.resolve("data");

    try (var serving = serve(forbiddenToPatch(cluster, ADMISSION_CHECK), port, data)) {
      awaitBundles(api, EnumSet.complementOf(EnumSet.of(ADMISSION_CHECK)), data);

      assertThat(
              Poll.until(
                  SOON,
                  Duration.ofMillis(50),
                  () -> serving.err().lines().anyMatch(ServeE2E::tellsOfAdmissionChecks)))
          .as(serving.err())
          .isTrue();
    }
  }

  private static void awaitBundles(ApiClient api, Set<ApiKind> kinds, Path data) {
    for (ApiKind kind : kinds) {
      api.await(
          CRDS + kind.crdName(),
          SOON,
          crd ->
              crd.at("/spec/conversion/strategy").asText().equals("None")
                  || isTrusted(crd.at("/spec/conversion/webhook/clientConfig"), data));
    }
    for (String webhooks : List.of(MUTATING, VALIDATING)) {
      api.await(webhooks, SOON, hooks -> allTrusted(hooks.path("webhooks"), data));
    }
  }

  private static boolean tellsOfAdmissionChecks(String line) {
    return line.contains("CA bundle could not be written")
        && line.contains(ADMISSION_CHECK.crdName())
        && line.contains("forbidden");
  }

  /** Access to the cluster with the right to change all our CRDs but that one. */
  private Path forbiddenToPatch(ControlPlane cluster, ApiKind kind) throws IOException {
    ApiClient api = cluster.client();
    String others =
        Arrays.stream(ApiKind.values())
            .filter(it -> it != kind)
            .map(it -> "\"" + it.crdName() + "\"")
            .collect(Collectors.joining(","));
    api.create(
            "/api/v1/namespaces/default/serviceaccounts",
            """
            {"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"narrow"}}\
            """)
        .orThrow();
    api.create(
            RBAC + "clusterroles",
            """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{
            "name":"narrow"},"rules":[
            {"apiGroups":["*"],"resources":["*"],"verbs":["get","list","watch"]},
            {"apiGroups":["admissionregistration.k8s.io"],"resources":["*"],"verbs":["patch"]},
            {"apiGroups":["apiextensions.k8s.io"],"resources":["customresourcedefinitions"],
            "resourceNames":[%s],"verbs":["patch"]}]}\
            """
                .formatted(others))
        .orThrow();
    api.create(
            RBAC + "clusterrolebindings",
            """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{
            "name":"narrow"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole",
            "name":"narrow"},"subjects":[{"kind":"ServiceAccount","name":"narrow",
            "namespace":"default"}]}\
            """)
        .orThrow();
    return Files.writeString(
        folder.resolve("narrow"),
        Files.readString(cluster.kubeconfig())
            .replace(cluster.token(), api.serviceAccountToken("default", "narrow")));
  }

  /** The API server may take a moment to see a new bundle. */
  private static boolean created(ApiClient api) {
    var answer =
        api.create(
            Kueue.collection(TOPOLOGY, V1ALPHA1),
            Kueue.topology(V1ALPHA1, "served", "block", "rack"));
    return answer.isSuccess() || answer.status() == 409;
  }

  private static boolean allTrusted(JsonNode webhooks, Path data) {
    boolean all = !webhooks.isEmpty();
    for (JsonNode webhook : webhooks) {
      all &= isTrusted(webhook.path("clientConfig"), data);
    }
    return all;
  }

  /** Beside the servers of other tests. */
  private static boolean isTrusted(JsonNode clientConfig, Path data) {
    try {
      String bundle = Files.readString(data.resolve("certs/ca.crt"));
      byte[] trusted = Base64.getDecoder().decode(clientConfig.path("caBundle").asText());
      return new String(trusted, UTF_8).contains(bundle);
    } catch (IOException e) {
      return false; // not made yet
    }
  }

  private static void install(ApiClient api, int port) throws IOException {
    var printed = Commands.run("install", "--url", "https://127.0.0.1:" + port, "-o", "json");
    assertThat(printed.code()).as(printed.err()).isZero();
    for (JsonNode document : new JsonMapper().readTree(printed.out()).get("items")) {
      String path =
          document.path("kind").asText().equals("CustomResourceDefinition")
              ? CRDS + document.at("/metadata/name").asText()
              : document.path("kind").asText().startsWith("Mutating") ? MUTATING : VALIDATING;
      api.serverSideApply(path, "test", document.toString()).orThrow();
    }
    for (ApiKind kind : ApiKind.values()) {
      api.awaitEstablished(kind.crdName(), SOON);
    }
  }
}
