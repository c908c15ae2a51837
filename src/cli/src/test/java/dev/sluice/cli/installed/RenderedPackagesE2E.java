package dev.sluice.cli.installed;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.manifests.yaml.YamlReader;
import dev.sluice.testkit.FullTier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Helm and kustomize bring to a cluster what {@code install} does. */
@FullTier
@Timeout(3_000)
@SuppressWarnings("NullAway.Init") // set before all tests
class RenderedPackagesE2E {
  private static final Path MANIFESTS = Path.of("..", "..", "manifests").toAbsolutePath();
  private static final Path CHART = MANIFESTS.resolve("chart").normalize();
  private static final ObjectMapper JSON = new JsonMapper();
  private static final String CONFIGURATION =
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";

  @TempDir private static Path folder;
  private static Renderer renderer;

  @BeforeAll
  static void build() throws Exception {
    renderer = Renderer.obtain();
  }

  /** Values are in JSON; FILE stands for the configuration above. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | ''",
        "controllerManager: {replicas: 3} | --replicas=3",
        "controllerManager: {replicas: 1} | --replicas=1",
        "controllerManager: {featureGates: [{name: ConcurrentAdmission, enabled: true},"
            + " {name: PartialAdmission, enabled: false}]}"
            + " | --feature-gates=ConcurrentAdmission=true,PartialAdmission=false",
        "controllerManager: {manager: {image: {repository: example.org/s, tag: v9}}}"
            + " | --image=example.org/s:v9",
        "enableCertManager: true | --cert-manager",
        "enablePrometheus: true | --monitoring",
        "{enablePrometheus: true, prometheus: {labels: {release: prometheus, 'example.org/on':"
            + " '1'}}} | --monitoring --monitoring-label=release=prometheus"
            + " --monitoring-label=example.org/on=1",
        "enableRecorder: true | --record",
        "enableVisibilityAPF: true | --visibility-apf",
        "{enableForecastAnnotations: true, enableVisibilityAPF: true, controllerManager:"
            + " {featureGates: [{name: PartialAdmission, enabled: false}]}, managerConfig:"
            + " {controllerManagerConfigYaml: FILE}} | --forecast-annotations --visibility-apf"
            + " --feature-gates=PartialAdmission=false --config=FILE",
        "{enableForecastAnnotations: true, enableVisibility: false, controllerManager:"
            + " {featureGates: [{name: VisibilityOnDemand, enabled: false}]}} |"
            + " --forecast-annotations --feature-gates=VisibilityOnDemand=false",
        "enableVisibilityAuthReaderRoleBinding: false | --no-auth-reader",
        "{enableVisibility: false, controllerManager: {featureGates: [{name: VisibilityOnDemand,"
            + " enabled: false}]}} | --feature-gates=VisibilityOnDemand=false",
        "{enablePrometheus: true, enableVisibility: false, enableVisibilityAPF: true,"
            + " controllerManager: {featureGates: [{name: VisibilityOnDemand, enabled: false}]}} |"
            + " --monitoring --visibility-apf --feature-gates=VisibilityOnDemand=false",
        "managerConfig: {controllerManagerConfigYaml: FILE} | --config=FILE",
        "{enableCertManager: true, enablePrometheus: true, enableRecorder: true, managerConfig:"
            + " {controllerManagerConfigYaml: FILE}, controllerManager: {replicas: 1,"
            + " featureGates: [{name: PartialAdmission, enabled: false}]}}"
            + " | --cert-manager --monitoring --record --config=FILE --replicas=1"
            + " --feature-gates=PartialAdmission=false"
      })
  void theChartRendersWhatInstallPrints(String values, String flags) throws Exception {
    Path file = Files.writeString(folder.resolve("config.yaml"), CONFIGURATION);
    for (String namespace : List.of("sluice-system", "queues")) {
      List<String> args = new ArrayList<>(List.of("--service=" + namespace + "/sluice-webhook"));
      for (String flag : flags.isEmpty() ? new String[0] : flags.split(" ", -1)) {
        args.add(flag.replace("FILE", file.toString()));
      }

      Renderer.Rendered rendered =
          renderer.helm(
              CHART,
              values.replace("FILE", '"' + CONFIGURATION.replace("\n", "\\n") + '"'),
              namespace);

      assertThat(rendered.code()).as(rendered.text()).isZero();
      Map<String, JsonNode> printed = byName(Printed.by(args.toArray(String[]::new)));
      printed.remove("Namespace/" + namespace); // Helm makes that of the release
      assertSame(withoutPolicy(byName(documents(rendered.text()))), printed);
    }
  }

  @Test
  void kustomizeBuildsWhatInstallPrints() throws Exception {
    Renderer.Rendered rendered = renderer.kustomize(MANIFESTS.normalize());

    assertThat(rendered.code()).as(rendered.text()).isZero();
    assertSame(byName(documents(rendered.text())), byName(Printed.by()));
  }

  @ParameterizedTest
  @CsvSource({
    "monitoring, --monitoring",
    "visibility-apf, --visibility-apf",
    "forecast-annotations, --forecast-annotations"
  })
  void aComponentOfKustomizeAddsWhatItsFlagDoes(String component, String flag) throws Exception {
    Path overlay = Files.createDirectories(folder.toRealPath().resolve("overlay-" + component));
    Path base = overlay.relativize(MANIFESTS.toRealPath());
    Files.writeString(
        overlay.resolve("kustomization.yaml"),
        "resources: [%s]\ncomponents: [%s/kustomize/%s]\n".formatted(base, base, component));

    Renderer.Rendered rendered = renderer.kustomize(overlay);

    assertThat(rendered.code()).as(rendered.text()).isZero();
    assertSame(byName(documents(rendered.text())), byName(Printed.by(flag)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "enableCertManger: true",
        "controllerManager: {replicas: none}",
        "controllerManager: {replicas: 0}",
        "controllerManager: {featureGates: [{name: A}]}",
        "controllerManager: {manager: {image: {pullPolicy: Sometimes}}}"
      })
  void aValueThatTheSchemaDoesNotKnowIsRefused(String values) throws Exception {
    Renderer.Rendered rendered = renderer.helm(CHART, values, "sluice-system");

    assertThat(rendered.code()).isEqualTo(1);
    assertThat(rendered.text()).contains("values don't meet the specifications of the schema");
  }

  @Test
  void whatOnlyTheChartCanChooseIsInThePods() throws Exception {
    Renderer.Rendered rendered =
        renderer.helm(
            CHART,
            """
            controllerManager:
              nodeSelector: {pool: system}
              tolerations: [{key: dedicated, operator: Exists}]
              imagePullSecrets: [{name: registry}]
              manager:
                image: {pullPolicy: Never}
                podAnnotations: {example.org/team: batch}
                priorityClassName: high
              topologySpreadConstraints:
              - {maxSkew: 2, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}
            resources: {scheduler: {limits: {memory: 4Gi}}, see: {requests: {cpu: "1"}}}
            """,
            "sluice-system");

    assertThat(rendered.code()).as(rendered.text()).isZero();
    JsonNode pod =
        requireNonNull(byName(documents(rendered.text())).get("Deployment/sluice-webhook"))
            .at("/spec/template/spec");
    assertThat(pod.at("/nodeSelector/pool").asText()).isEqualTo("system");
    assertThat(pod.at("/tolerations/0/key").asText()).isEqualTo("dedicated");
    assertThat(pod.at("/imagePullSecrets/0/name").asText()).isEqualTo("registry");
    assertThat(pod.at("/containers/1/imagePullPolicy").asText()).isEqualTo("Never");
    assertThat(pod.at("/priorityClassName").asText()).isEqualTo("high");
    assertThat(pod.at("/topologySpreadConstraints").size()).isEqualTo(1);
    assertThat(pod.at("/topologySpreadConstraints/0/topologyKey").asText()).isEqualTo("zone");
    assertThat(pod.at("/containers/0/resources/limits/memory").asText()).isEqualTo("512Mi");
    assertThat(pod.at("/containers/1/resources"))
        .isEqualTo(JSON.readTree("{\"limits\":{\"memory\":\"4Gi\"}}"));
    JsonNode see =
        requireNonNull(byName(documents(rendered.text())).get("Deployment/sluice-see"))
            .at("/spec/template");
    assertThat(see.at("/metadata/annotations/example.org~1team").asText()).isEqualTo("batch");
    assertThat(see.at("/spec/containers/0/resources"))
        .isEqualTo(JSON.readTree("{\"requests\":{\"cpu\":\"1\"}}"));
  }

  /** All values that Kueue's chart has, but for the image, which can only be another one. */
  @Test
  void aFileOfValuesForTheChartOfKueueCanBeUsedAndWhatHasNoEffectIsTold() throws Exception {
    String values =
        """
        nameOverride: ""
        fullnameOverride: ""
        enablePrometheus: false
        enableCertManager: false
        certManager: {issuerRef: {}}
        enableVisibilityAPF: false
        enableMutatingAdmissionPolicy: false
        enableVisibilityAuthReaderRoleBinding: true
        enableKueueViz: false
        kubernetesClusterDomain: cluster.local
        controllerManager:
          featureGates: []
          replicas: 2
          strategy: {type: RollingUpdate}
          hostNetwork: false
          dnsPolicy: ClusterFirst
          manager:
            image: {pullPolicy: ""}
            resources: {limits: {cpu: "2", memory: 512Mi}}
            podAnnotations: {}
            logLevel: 2
            priorityClassName: ""
            podSecurityContext: {runAsNonRoot: true}
            containerSecurityContext: {allowPrivilegeEscalation: false}
          imagePullSecrets: []
          readinessProbe: {periodSeconds: 10}
          livenessProbe: {periodSeconds: 20}
          nodeSelector: {}
          tolerations: []
          topologySpreadConstraints: []
          podDisruptionBudget: {enabled: false, minAvailable: 1}
        managerConfig: {controllerManagerConfigYaml: ""}
        metricsService: {type: ClusterIP}
        webhookService: {type: ClusterIP, ipDualStack: {enabled: false}}
        mutatingWebhook: {reinvocationPolicy: Never}
        kueueViz: {backend: {env: []}}
        metrics: {prometheusNamespace: monitoring}
        """;

    Renderer.Rendered rendered = renderer.helm(CHART, values, "sluice-system");

    assertThat(rendered.code()).as(rendered.text()).isZero();
    Map<String, JsonNode> printed = byName(Printed.by());
    printed.remove("Namespace/sluice-system");
    assertSame(withoutPolicy(byName(documents(rendered.text()))), printed);
    assertThat(renderer.notes(CHART, values).text())
        .contains("values of Kueue's chart have no effect")
        .contains("  enableKueueViz\n")
        .contains("  controllerManager.manager.resources\n")
        .doesNotContain("replicas");
    assertThat(renderer.notes(CHART, "{}").text())
        .contains("installed in the namespace sluice-system")
        .doesNotContain("Kueue");
  }

  @Test
  void theImageOfKueueIsRefused() throws Exception {
    Renderer.Rendered rendered =
        renderer.helm(
            CHART,
            "controllerManager: {manager: {image: {repository: example.org/kueue/kueue}}}",
            "sluice-system");

    assertThat(rendered.code()).isEqualTo(1);
    assertThat(rendered.text()).contains("kueue/kueue (expected: an image of Sluice)");
  }

  private static void assertSame(Map<String, JsonNode> rendered, Map<String, JsonNode> printed) {
    assertThat(rendered.keySet()).isEqualTo(printed.keySet());
    printed.forEach(
        (name, document) -> assertThat(rendered.get(name)).as(name).isEqualTo(document));
  }

  private static List<ObjectNode> documents(String text) {
    return new YamlReader().readAll("rendered", text);
  }

  private static Map<String, JsonNode> byName(List<? extends JsonNode> documents) {
    Map<String, JsonNode> named = new TreeMap<>();
    for (JsonNode document : documents) {
      String name = document.path("kind").asText() + "/" + document.at("/metadata/name").asText();
      assertThat(named.put(name, document)).as("twice: %s", name).isNull();
    }
    return named;
  }

  /** Definitions outlive an uninstalled chart, so that no object is lost. */
  private static Map<String, JsonNode> withoutPolicy(Map<String, JsonNode> documents) {
    documents.forEach(
        (name, document) -> {
          if (name.startsWith("CustomResourceDefinition/")) {
            ObjectNode metadata = (ObjectNode) document.path("metadata");
            ObjectNode annotations = (ObjectNode) metadata.path("annotations");
            assertThat(annotations.remove("helm.sh/resource-policy").asText()).isEqualTo("keep");
            if (annotations.isEmpty()) {
              metadata.remove("annotations");
            }
          }
        });
    return documents;
  }
}
