package dev.sluice.cli.installed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.Commands;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code install --diff} says before an installation, after it, and before an upgrade. */
@FullTier
@NeedsControlPlane
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class) // the cluster is empty at first
@SuppressWarnings("NullAway.Init") // set before all tests
class InstallDiffE2E {
  private static final String DEPLOYMENT =
      "/apis/apps/v1/namespaces/sluice-system/deployments/sluice-webhook";
  private static final String SERVICE = "/api/v1/namespaces/sluice-system/services/sluice-webhook";
  private static final String ROLE =
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/sluice-scheduler";

  @TempDir private static Path folder;
  private static ControlPlane controlPlane;
  private static ApiClient api;

  @BeforeAll
  static void start() {
    controlPlane =
        ControlPlane.start(
            ControlPlane.Options.apiServer().withDirectory(folder.resolve("control-plane")));
    api = controlPlane.client();
  }

  @AfterAll
  static void stop() {
    controlPlane.close();
  }

  private static Commands.Ran diff(String... more) {
    List<String> args = new ArrayList<>(List.of("install", "--diff"));
    args.add("--kubeconfig=" + controlPlane.kubeconfig());
    args.addAll(List.of(more));
    return Commands.run(args.toArray(String[]::new));
  }

  @Test
  @Order(1)
  void inAnEmptyClusterEverythingIsNew() throws IOException {
    Commands.Ran ran = diff();

    assertThat(ran.code()).as(ran.err()).isEqualTo(1);
    assertThat(ran.out().lines())
        .hasSameSizeAs(Printed.by())
        .allMatch(it -> it.startsWith("+ ") && it.endsWith(": is new"))
        .contains("+ Deployment sluice-system/sluice-webhook: is new");
  }

  @Test
  @Order(2)
  void whatWasAppliedIsNoDifferenceAndNothingIsChangedByLooking() throws IOException {
    Printed.apply(api, Printed.by());
    String before = version(DEPLOYMENT);

    Commands.Ran ran = diff();

    assertThat(ran.out()).isEmpty();
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(diff("--replicas=3").code()).isEqualTo(1);
    assertThat(version(DEPLOYMENT)).isEqualTo(before);
  }

  private static String version(String path) {
    return api.get(path).orThrow().json().at("/metadata/resourceVersion").asText();
  }

  @Test
  @Order(3)
  void namesEachFieldThatAnUpgradeChanges() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("config.yaml"),
            "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n");

    Commands.Ran ran = diff("--replicas=3", "--image=example.org/sluice:0.2.0", "--config=" + file);

    assertThat(ran.code()).as(ran.err()).isEqualTo(1);
    assertThat(ran.out().lines())
        .contains(
            "+ ConfigMap sluice-system/sluice-config: is new",
            "~ Deployment sluice-system/sluice-webhook",
            "    ~ spec.replicas: 2 -> 3",
            "    ~ spec.template.spec.containers[webhook].image: \"sluice:0.1.0\" ->"
                + " \"example.org/sluice:0.2.0\"")
        .anyMatch(it -> it.startsWith("    + spec.template.spec.volumes[config]: "))
        .noneMatch(it -> it.startsWith("~ CustomResourceDefinition"));
  }

  @Test
  @Order(4)
  void namesWhatSomebodyHasChangedByHand() {
    JsonNode before = api.get(ROLE).orThrow().json();
    api.jsonPatch(ROLE, "[{\"op\":\"remove\",\"path\":\"/rules/0\"}]").orThrow();

    Commands.Ran ran = diff();

    assertThat(ran.out()).startsWith("~ ClusterRole sluice-scheduler\n");
    assertThat(ran.out().lines().skip(1)).isNotEmpty().allMatch(it -> it.startsWith("    "));
    api.mergePatch(ROLE, "{\"rules\":%s}".formatted(before.path("rules"))).orThrow();
    assertThat(diff().out()).isEmpty();
  }

  /** As the release before has left it, in the record of {@code kubectl apply}. */
  @Test
  @Order(5)
  void namesAFieldThatWasAppliedBeforeAndIsAppliedNoMore() throws IOException {
    ObjectNode older =
        (ObjectNode)
            Printed.by().stream()
                .filter(it -> it.path("kind").asText().equals("Service"))
                .findFirst()
                .orElseThrow();
    older.withObject("/metadata/labels").put("older", "yes");
    ObjectNode patch = older.objectNode();
    patch.withObject("/metadata/labels").put("older", "yes");
    patch
        .withObject("/metadata/annotations")
        .put("kubectl.kubernetes.io/last-applied-configuration", older.toString());
    api.mergePatch(SERVICE, patch.toString()).orThrow();

    assertThat(diff().out().lines())
        .containsExactly(
            "~ Service sluice-system/sluice-webhook", "    - metadata.labels.older: \"yes\"");
    api.mergePatch(SERVICE, "{\"metadata\":{\"labels\":{\"older\":null}}}").orThrow();
  }

  @Test
  @Order(6)
  void namesObjectsOfOtherChoicesThatAreStillThere() {
    assertThat(diff("--replicas=1").out().lines())
        .contains(
            "- /apis/policy/v1/namespaces/sluice-system/poddisruptionbudgets/sluice-webhook: is in"
                + " the cluster, and not part of this");
  }

  @Test
  @Order(7)
  void namesKindsThatTheClusterDoesNotServe() {
    assertThat(diff("--monitoring").out().lines())
        .contains("! PodMonitor sluice-system/sluice-webhook: the cluster does not serve its kind");
  }

  @Test
  @Order(8)
  void namesThePriorityLevelOfTheVisibilityApiOnceNobodyWantsItAnyMore() throws IOException {
    Printed.apply(api, Printed.by("--visibility-apf"));
    String flow = "/apis/flowcontrol.apiserver.k8s.io/v1/";

    assertThat(diff("--visibility-apf").out()).isEmpty();
    assertThat(diff().out().lines())
        .containsExactlyInAnyOrder(
            "- " + flow + "flowschemas/visibility: is in the cluster, and not part of this",
            "- "
                + flow
                + "prioritylevelconfigurations/visibility: is in the cluster, and not part of"
                + " this");
    api.delete(flow + "flowschemas/visibility").orThrow();
    api.delete(flow + "prioritylevelconfigurations/visibility").orThrow();
  }

  @Test
  @Order(9)
  void namesAChangeThatTheApiServerWouldRefuse() {
    Printed.bindToAnotherRole(api, "sluice-scheduler");

    assertThat(diff().out())
        .contains("! ClusterRoleBinding sluice-scheduler: would be refused: ")
        .contains("roleRef");
  }
}
