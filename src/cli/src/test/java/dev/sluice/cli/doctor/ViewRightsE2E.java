package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Poll;
import dev.sluice.manifests.Manifests;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What an API server says of the rights of the server of the visibility API. */
@FullTier
@NeedsControlPlane
@Timeout(600)
@SuppressWarnings("NullAway.Init") // set before all tests
class ViewRightsE2E {
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
  private static final String ACCOUNT = "serviceaccount/sluice-see";
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(100);

  @TempDir private static Path folder;
  private static ControlPlane controlPlane;
  private static ApiClient api;
  private static InstalledServer server;

  @BeforeAll
  static void start() {
    controlPlane =
        ControlPlane.start(
            ControlPlane.Options.apiServer().withDirectory(folder.resolve("control-plane")));
    api = controlPlane.client();
    server = new InstalledServer(api);
    server.heal();
  }

  @AfterAll
  static void stop() {
    controlPlane.close();
  }

  @Test
  void namesEachRightThatTheServerOfTheVisibilityApiLacks() {
    String role = RBAC + "/clusterroles/sluice-see";
    String binding = RBAC + "/namespaces/kube-system/rolebindings/sluice-see-auth-reader";
    api.mergePatch(
            role,
            """
            {"rules":[{"apiGroups":["kueue.x-k8s.io","",
            "node.k8s.io","scheduling.k8s.io","resource.k8s.io","trainer.kubeflow.org"],
            "resources":["*"],"verbs":["list"]}]}\
            """)
        .orThrow();
    api.delete(binding).orThrow();

    Examined examined = awaitRights(it -> it.size() == 5);

    assertThat(examined.of(ACCOUNT))
        .allMatch(it -> it.startsWith("error: lacks rights: no "))
        .anyMatch(it -> it.contains("no watch nodes, ") && !it.contains("no list "))
        .anyMatch(it -> it.contains("no create tokenreviews: nobody can show who they are"))
        .anyMatch(it -> it.contains("no create subjectaccessreviews: nobody is allowed"))
        .anyMatch(it -> it.contains("no patch apiservices v1alpha1.view.sluice.dev"))
        .anyMatch(
            it ->
                it.contains("no get configmaps extension-apiserver-authentication in kube-system"));
    assertThat(examined.findings("error").map(it -> it.path("remedy").asText()))
        .contains(
            "kubectl -n kube-system create rolebinding sluice-see-auth-reader"
                + " --role=extension-apiserver-authentication-reader"
                + " --serviceaccount=sluice-system:sluice-see");

    server.heal();

    awaitRights(it -> it.size() == 1 && it.getFirst().startsWith("ok: has its rights"));
  }

  @Test
  void whereForecastsAreWrittenThatNeedsItsRights() {
    String path = "/apis/apps/v1/namespaces/sluice-system/deployments/sluice-see";
    JsonNode containers = api.get(path).orThrow().json().at("/spec/template/spec/containers");
    ((ArrayNode) containers.at("/0/args")).add("--annotate-forecasts");
    api.mergePatch(
            path, "{\"spec\":{\"template\":{\"spec\":{\"containers\":%s}}}}".formatted(containers))
        .orThrow();

    Examined lacking = awaitRights(it -> it.size() == 1 && it.getFirst().startsWith("error"));

    assertThat(lacking.of(ACCOUNT).getFirst())
        .contains(
            "no patch workloads, no create leases in sluice-system, no get leases"
                + " sluice-see-forecasts in sluice-system",
            "it writes no forecasts to Workloads");
    assertThat(lacking.findings("error").map(it -> it.path("remedy").asText()))
        .contains("sluice install --forecast-annotations | kubectl apply -f -");

    for (ObjectNode document : new Manifests().forecastRbac()) {
      String namespace = document.at("/metadata/namespace").asText();
      String plural = document.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
      api.create(
              RBAC + (namespace.isEmpty() ? "/" : "/namespaces/" + namespace + "/") + plural,
              document.toString())
          .orThrow();
    }
    awaitRights(it -> it.size() == 1 && it.getFirst().startsWith("ok: has its rights"));
    server.heal();
  }

  /**
   * The API server authorizes by what its own watches have shown it, so a change takes a moment.
   */
  private static Examined awaitRights(Predicate<List<String>> expected) {
    AtomicReference<Examined> last = new AtomicReference<>();
    assertThat(
            Poll.until(
                SOON,
                PAUSE,
                () -> {
                  last.set(examine());
                  return expected.test(last.get().of(ACCOUNT));
                }))
        .as(() -> last.get().out())
        .isTrue();
    return last.get();
  }

  private static Examined examine() {
    return Examined.by(new CommandLine(new DoctorCommand()), controlPlane.kubeconfig());
  }
}
