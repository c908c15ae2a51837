package dev.sluice.manifests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.manifests.yaml.YamlReader;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstallationTest {

  private static final String PEM =
      "-----BEGIN CERTIFICATE-----\nbm90IGEgY2VydGlmaWNhdGU=\n-----END CERTIFICATE-----\n";
  private static final Target URL = new Target.Url(URI.create("https://127.0.0.1:9443"));
  private static final Target SERVICE = new Target.Service("queues", "gate", 8443);

  @Test
  void everyPlaceThatTrustsTheServerHasTheBundle() {
    List<JsonNode> configs = clientConfigs(Installation.into(URL).trusting(PEM));

    assertThat(configs).hasSizeGreaterThan(ApiKind.values().length);
    assertThat(configs)
        .allSatisfy(
            config ->
                assertThat(Base64.getDecoder().decode(config.path("caBundle").asText()))
                    .isEqualTo(PEM.getBytes(UTF_8)));
  }

  @Test
  void withoutABundleNoPlaceHasOneForTheServerPutsItIn() {
    assertThat(clientConfigs(Installation.into(SERVICE)))
        .isNotEmpty()
        .noneMatch(config -> config.has("caBundle"));
  }

  private static List<String> served(Installation installation, String plural) {
    for (ObjectNode document : installation.documents()) {
      if (document.at("/spec/names/plural").asText().equals(plural)) {
        return StreamSupport.stream(document.at("/spec/versions").spliterator(), false)
            .filter(version -> version.path("served").asBoolean())
            .map(version -> version.path("name").asText())
            .sorted()
            .toList();
      }
    }
    throw new AssertionError(plural + " is not there");
  }

  @ParameterizedTest
  @CsvSource({
    "'v1beta1,v1beta2,v1alpha1', topologies, 'v1alpha1,v1beta1,v1beta2'",
    "v1beta2, topologies, v1beta2",
    "v1beta1, topologies, 'v1beta1,v1beta2'",
    "v1alpha1, workloads, v1beta2",
    "v1beta2, workloads, v1beta2",
  })
  void aKindIsServedAtTheVersionsThatAreChosenAndAtTheStoredOne(
      String chosen, String plural, String expected) {
    Installation installation =
        Installation.into(URL).serving(ServedVersions.of(List.of(chosen.split(","))));

    assertThat(served(installation, plural)).containsExactly(expected.split(","));
  }

  @Test
  void aVersionThatIsLeftOutIsToldInTheDefinition() {
    ObjectNode crd =
        Installation.into(URL).serving(ServedVersions.of(List.of("v1beta2"))).documents().stream()
            .filter(it -> it.at("/spec/names/plural").asText().equals("workloads"))
            .findFirst()
            .orElseThrow();

    assertThat(ServedVersions.leavesOut(crd, "v1beta1")).isTrue();
    assertThat(ServedVersions.leavesOut(crd, "v1beta2")).isFalse();
    assertThat(ServedVersions.leavesOut(new Manifests().crd(ApiKind.WORKLOAD), "v1beta1"))
        .isFalse();
  }

  @Test
  void aTextThatIsNoVersionIsRefused() {
    assertThatThrownBy(() -> ServedVersions.of(List.of("v1beta9")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("v1beta9", "v1beta2");
  }

  @Test
  void aUrlReplacesTheServiceAndKeepsThePaths() {
    List<JsonNode> configs = clientConfigs(Installation.into(URL));

    assertThat(configs).noneMatch(config -> config.has("service"));
    assertThat(configs)
        .extracting(config -> config.path("url").asText())
        .startsWith("https://127.0.0.1:9443/convert")
        .contains(
            "https://127.0.0.1:9443/mutate-kueue-x-k8s-io-v1beta2-clusterqueue",
            "https://127.0.0.1:9443/validate-kueue-x-k8s-io-v1beta2-topology");
  }

  @Test
  void aServerOutsideTheClusterNeedsNoDeploymentThere() {
    assertThat(kinds(Installation.into(URL)))
        .containsExactlyElementsOf(
            Stream.concat(
                    Collections.nCopies(ApiKind.values().length, "CustomResourceDefinition")
                        .stream(),
                    Stream.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"))
                .toList());
  }

  @Test
  void theServerReadsWhatWasChosenFromAMountedConfigMap() {
    var chosen = new ServerConfiguration("kind: Configuration\n", "ElasticJobs=true");
    List<ObjectNode> documents = Installation.into(SERVICE).configuredBy(chosen).documents();

    JsonNode map = only("ConfigMap", documents);
    JsonNode pod = only("Deployment", documents).at("/spec/template/spec");
    JsonNode volume = named("config", pod.path("volumes"));
    JsonNode mount = named("config", pod.at("/containers/0/volumeMounts"));
    assertThat(documents.indexOf(map)).isLessThan(documents.indexOf(only("Deployment", documents)));
    assertThat(map.at("/metadata/namespace").asText()).isEqualTo("queues");
    assertThat(map.at("/data/config.yaml").asText()).isEqualTo("kind: Configuration\n");
    assertThat(volume.at("/configMap/name")).isEqualTo(map.at("/metadata/name"));
    assertThat(pod.path("containers")).hasSize(2);
    for (JsonNode container : pod.path("containers")) {
      assertThat(container.path("args"))
          .extracting(JsonNode::asText)
          .contains(
              "--config=" + mount.path("mountPath").asText() + "/config.yaml",
              "--feature-gates=ElasticJobs=true");
    }
  }

  @Test
  void aCertificateOfCertManagerIsForTheNamesOfTheServiceAndIsMounted() {
    List<ObjectNode> documents =
        with(ServerConfiguration.NONE.withCertificates(new ServerCertificates.CertManager()));
    List<ObjectNode> certificates = ofKind("Certificate", documents);
    ObjectNode serving = certificates.getLast();

    assertThat(ofKind("Issuer", documents)).hasSize(2);
    assertThat(serving.at("/spec/dnsNames"))
        .extracting(JsonNode::asText)
        .containsExactly("gate.queues.svc", "gate.queues.svc.cluster.local", "gate.queues");
    assertThat(serving.at("/spec/issuerRef/name"))
        .isEqualTo(ofKind("Issuer", documents).getLast().at("/metadata/name"));
    assertMounted(serving.at("/spec/secretName").asText(), documents);
  }

  @Test
  void aCertificateInASecretOfSomebodyElseIsMountedAndNothingIsMade() {
    List<ObjectNode> documents =
        with(
            ServerConfiguration.NONE.withCertificates(
                new ServerCertificates.InSecret("kept-elsewhere")));

    assertThat(ofKind("Certificate", documents)).isEmpty();
    assertMounted("kept-elsewhere", documents);
  }

  /** A server that reads a folder needs no right to a Secret. */
  private static void assertMounted(String secret, List<ObjectNode> documents) {
    JsonNode pod = only("Deployment", documents).at("/spec/template/spec");
    JsonNode volume = named("tls", pod.path("volumes"));
    JsonNode mount = named("tls", pod.at("/containers/0/volumeMounts"));
    assertThat(volume.at("/secret/secretName").asText()).isEqualTo(secret);
    assertThat(pod.at("/containers/0/args"))
        .extracting(JsonNode::asText)
        .contains("--cert-dir=" + mount.path("mountPath").asText())
        .noneMatch(arg -> arg.startsWith("--shared-certificates"));
    assertThat(documents)
        .filteredOn(it -> it.path("kind").asText().startsWith("Role"))
        .extracting(it -> it.at("/metadata/name").asText())
        .isNotEmpty()
        .doesNotContain("sluice-webhook");
  }

  @Test
  void aNameThatNoSecretCanHaveIsRefused() {
    assertThatThrownBy(() -> new ServerCertificates.InSecret("No Name"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("No Name");
  }

  @Test
  void whatIsMonitoredAreThePortsOfThePods() {
    List<ObjectNode> documents = with(ServerConfiguration.NONE.monitored(Monitoring.PLAIN));
    JsonNode monitor = only("PodMonitor", documents);
    JsonNode template = only("Deployment", documents).at("/spec/template");
    List<String> ports = template.at("/spec/containers").findValuesAsText("name");

    assertThat(monitor.at("/spec/selector/matchLabels").properties())
        .isSubsetOf(template.at("/metadata/labels").properties());
    assertThat(monitor.at("/spec/podMetricsEndpoints").findValuesAsText("port"))
        .hasSize(2)
        .isSubsetOf(ports);
    assertThat(ofKind("PrometheusRule", documents)).hasSize(1);
    assertThat(kinds(Installation.into(SERVICE))).doesNotContain("PodMonitor", "PrometheusRule");
  }

  @Test
  void theSchedulerIsKnownByItsAccountInWhateverNamespaceItIs() {
    List<ObjectNode> registration =
        Installation.into(Target.Service.DEFAULT.in("queues")).registration();

    assertThat(registration.getLast().toString())
        .contains("!= 'system:serviceaccount:queues:sluice-scheduler'")
        .doesNotContain("system:serviceaccount:sluice-system");
  }

  @Test
  void aRecordedSchedulerHasAVolumeThatIsLargerThanItsRecording() {
    JsonNode pod =
        only("Deployment", with(ServerConfiguration.NONE.recorded())).at("/spec/template/spec");
    JsonNode scheduler = pod.at("/containers/1");
    JsonNode mount = scheduler.path("volumeMounts").get(scheduler.path("volumeMounts").size() - 1);
    JsonNode volume = pod.path("volumes").get(pod.path("volumes").size() - 1);

    assertThat(scheduler.path("args").toString())
        .contains("--record=" + mount.path("mountPath").asText(), "--record-size=256Mi");
    assertThat(volume.path("name")).isEqualTo(mount.path("name"));
    assertThat(volume.at("/emptyDir/sizeLimit").asText()).isEqualTo("320Mi");
    assertThat(pod.at("/containers/0").toString()).doesNotContain("record");
    assertThat(Installation.into(SERVICE).yaml()).doesNotContain("--record");
  }

  @Test
  void bothProgramsAreOfTheImageThatWasChosen() {
    JsonNode containers =
        only("Deployment", with(ServerConfiguration.NONE.withImage("example.org/s:1")))
            .at("/spec/template/spec/containers");

    assertThat(containers.findValuesAsText("image"))
        .containsExactly("example.org/s:1", "example.org/s:1");
  }

  @Test
  void theCallsOfAllAccountsHaveAPriorityLevelOfTheirOwnAndLeasesThatOfLeases() {
    List<ObjectNode> documents = Installation.into(SERVICE).documents();
    List<ObjectNode> schemas = ofKind("FlowSchema", documents);
    List<String> accounts =
        documents.stream()
            .filter(it -> it.path("kind").asText().equals("ServiceAccount"))
            .map(it -> it.at("/metadata/name").asText())
            .toList();

    assertThat(schemas.getFirst().findValues("serviceAccount"))
        .hasSize(accounts.size())
        .allSatisfy(
            account -> {
              assertThat(account.path("namespace").asText()).isEqualTo("queues");
              assertThat(accounts).contains(account.path("name").asText());
            });
    assertThat(schemas.getFirst().at("/spec/priorityLevelConfiguration/name"))
        .isEqualTo(only("PriorityLevelConfiguration", documents).at("/metadata/name"));
    assertThat(schemas.getLast().at("/spec/rules/0/resourceRules/0/namespaces/0").asText())
        .isEqualTo("queues");
    assertThat(schemas.getLast().at("/spec/matchingPrecedence").asInt())
        .as("asked before the other")
        .isLessThan(schemas.getFirst().at("/spec/matchingPrecedence").asInt());
  }

  private static List<ObjectNode> with(ServerConfiguration configuration) {
    return Installation.into(SERVICE).configuredBy(configuration).documents();
  }

  /** Those of the webhook server and the scheduler; {@link VisibilityServerTest} has the others. */
  private static List<ObjectNode> ofKind(String kind, List<ObjectNode> documents) {
    return documents.stream()
        .filter(each -> each.path("kind").asText().equals(kind))
        .filter(each -> !each.at("/metadata/name").asText().startsWith("sluice-see"))
        .toList();
  }

  @Test
  void withoutAChoiceThereIsNoConfigMap() {
    assertThat(kinds(Installation.into(SERVICE))).doesNotContain("ConfigMap");
    assertThat(Installation.into(SERVICE).yaml()).doesNotContain("--config", "--feature-gates");
  }

  private static JsonNode only(String kind, List<ObjectNode> documents) {
    List<ObjectNode> found = ofKind(kind, documents);
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static JsonNode named(String name, JsonNode list) {
    for (JsonNode each : list) {
      if (each.path("name").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError(name + " is not in " + list);
  }

  @Test
  void aServerInTheClusterComesWithAllItNeedsInTheOrderOfNeed() {
    assertThat(kinds(Installation.into(SERVICE)))
        .startsWith(
            "Namespace",
            "ServiceAccount",
            "Secret",
            "ClusterRole",
            "ClusterRoleBinding",
            "Role",
            "RoleBinding",
            "ClusterRole",
            "ClusterRoleBinding",
            "ServiceAccount",
            "ClusterRole",
            "ClusterRoleBinding",
            "Role",
            "RoleBinding",
            "PriorityLevelConfiguration",
            "FlowSchema",
            "FlowSchema",
            "Service",
            "Deployment",
            "PodDisruptionBudget",
            "NetworkPolicy",
            "CustomResourceDefinition")
        .endsWith("NetworkPolicy", "APIService", "APIService", "APIService");
  }

  /** What it registers with itself must not refuse a write before it runs. */
  @Test
  void aServerInTheClusterRegistersItselfSoNothingElseDoes() {
    JsonNode pod =
        only("Deployment", Installation.into(SERVICE).documents()).at("/spec/template/spec");

    assertThat(kinds(Installation.into(SERVICE)))
        .noneMatch(kind -> kind.endsWith("WebhookConfiguration"));
    assertThat(pod.at("/containers/0/args"))
        .extracting(JsonNode::asText)
        .contains("--register", "--service=queues/gate");
    assertThat(Installation.into(SERVICE).registration())
        .extracting(document -> document.path("kind").asText())
        .containsExactly("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");
  }

  @Test
  void theNamespaceOfTheServerIsKeptAwayFromItWhateverItsName() {
    List<JsonNode> selectors = new ArrayList<>();
    Installation.into(SERVICE)
        .registration()
        .forEach(document -> selectors.addAll(document.findValues("namespaceSelector")));

    assertThat(selectors)
        .isNotEmpty()
        .allSatisfy(
            selector ->
                assertThat(selector.at("/matchExpressions/0/values"))
                    .extracting(JsonNode::asText)
                    .containsExactly("kube-system", "queues"));
  }

  @Test
  void whatIsOfANamespaceFollowsTheServiceIntoIts() {
    List<ObjectNode> documents = Installation.into(SERVICE).documents();

    assertThat(documents)
        .filteredOn(document -> document.at("/metadata").has("namespace"))
        .filteredOn(document -> !document.at("/metadata/namespace").asText().equals("kube-system"))
        .hasSizeGreaterThan(8)
        .allSatisfy(
            document ->
                assertThat(document.at("/metadata/namespace").asText()).isEqualTo("queues"));
    assertThat(documents)
        .filteredOn(document -> document.has("subjects"))
        .hasSize(8)
        .allSatisfy(
            binding ->
                assertThat(binding.at("/subjects/0/namespace").asText()).isEqualTo("queues"));
  }

  @Test
  void asManyReplicasAsChosenAndABudgetOnlyWhereOneMayGo() {
    Installation one =
        Installation.into(SERVICE).configuredBy(ServerConfiguration.NONE.withReplicas(1));
    Installation three =
        Installation.into(SERVICE).configuredBy(ServerConfiguration.NONE.withReplicas(3));

    assertThat(only("Deployment", one.documents()).at("/spec/replicas").asInt()).isEqualTo(1);
    assertThat(ofKind("PodDisruptionBudget", one.documents())).isEmpty();
    assertThat(only("Deployment", three.documents()).at("/spec/replicas").asInt()).isEqualTo(3);
    assertThat(kinds(three)).contains("PodDisruptionBudget");
    assertThatThrownBy(() -> ServerConfiguration.NONE.withReplicas(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everythingFollowsTheServiceToItsNamespaceNameAndPort() {
    Installation installation = Installation.into(SERVICE);

    assertThat(clientConfigs(installation))
        .allSatisfy(
            config -> {
              assertThat(config.at("/service/namespace").asText()).isEqualTo("queues");
              assertThat(config.at("/service/name").asText()).isEqualTo("gate");
              assertThat(config.at("/service/port").asInt()).isEqualTo(8443);
            });
    assertThat(installation.yaml())
        .doesNotContain("sluice-system")
        .contains("name: gate")
        .contains("--service=queues/gate")
        .contains("--namespace=queues")
        .contains("port: 8443");
  }

  @Test
  void theDefaultServiceIsWhatThePackedManifestsAreWrittenFor() {
    Manifests manifests = new Manifests();

    List<ObjectNode> documents = Installation.into(Target.Service.DEFAULT).documents();

    assertThat(documents)
        .contains(manifests.namespace())
        .containsAll(manifests.rbac())
        .containsAll(manifests.deployment())
        .containsAll(manifests.crds());
    assertThat(Installation.into(Target.Service.DEFAULT).registration())
        .isEqualTo(manifests.registration());
  }

  @Test
  void theYamlReadsAsTheDocuments() {
    Installation installation = Installation.into(SERVICE).trusting(PEM);

    assertThat(new YamlReader().readAll("install", installation.yaml()))
        .isEqualTo(installation.documents());
    assertThat(installation.list().path("items"))
        .containsExactlyElementsOf(installation.documents());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "secret words", "-----BEGIN PRIVATE KEY-----\nsecret words"})
  void refusesABundleThatIsNoCertificateAndDoesNotRepeatIt(String pem) {
    assertThatThrownBy(() -> Installation.into(URL).trusting(pem))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: PEM with certificates only")
        .hasMessageNotContaining("secret words");
  }

  @Test
  void refusesABundleThatBringsAKeyAlong() {
    String both = PEM + "-----BEGIN EC PRIVATE KEY-----\nx\n-----END EC PRIVATE KEY-----\n";

    assertThatThrownBy(() -> Installation.into(URL).trusting(both))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a:1",
        "https:///x",
        "a",
        "https://u@a",
        "https://a?x=1",
        "https://a#b",
        "https:a"
      })
  void refusesAUrlTheApiServerWouldNotTake(String url) {
    assertThatThrownBy(() -> new Target.Url(URI.create(url)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: https://");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 65536})
  void refusesAPortThatIsNone(int port) {
    assertThatThrownBy(() -> new Target.Service("a", "b", port))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: 1..65535");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "a.b", "-a", "a-", "a\nb"})
  void refusesNamesThatAreNoDnsLabels(String name) {
    assertThatThrownBy(() -> new Target.Service(name, "b", 443))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Target.Service("a", name, 443))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<String> kinds(Installation installation) {
    return installation.documents().stream().map(d -> d.path("kind").asText()).toList();
  }

  private static List<JsonNode> clientConfigs(Installation installation) {
    List<JsonNode> configs = new ArrayList<>();
    installation.documents().forEach(d -> configs.addAll(d.findValues("clientConfig")));
    installation.registration().forEach(d -> configs.addAll(d.findValues("clientConfig")));
    return configs;
  }
}
