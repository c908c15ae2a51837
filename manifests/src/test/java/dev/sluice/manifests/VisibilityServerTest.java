package dev.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Domains;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisibilityServerTest {
  private static final Target SERVICE = new Target.Service("queues", "gate", 8443);

  private final List<ObjectNode> documents = documents(VisibilityServer.DEFAULT);
  private final ObjectNode deployment = only("Deployment", documents);
  private final JsonNode container = deployment.at("/spec/template/spec/containers/0");

  /** Those that another choice adds to an installation without the server. */
  private static List<ObjectNode> documents(VisibilityServer server) {
    Installation installation = Installation.into(SERVICE);
    List<ObjectNode> without =
        installation
            .configuredBy(ServerConfiguration.NONE.showing(VisibilityServer.NONE))
            .documents();
    return installation
        .configuredBy(ServerConfiguration.NONE.withImage("").showing(server))
        .documents()
        .stream()
        .filter(document -> !without.contains(document))
        .toList();
  }

  private static ObjectNode only(String kind, List<ObjectNode> documents) {
    List<ObjectNode> found =
        documents.stream().filter(it -> it.path("kind").asText().equals(kind)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).toList();
  }

  @Test
  void eachVersionOfTheGroupLeadsToTheServiceInItsNamespace() {
    List<ObjectNode> services =
        documents.stream().filter(it -> it.path("kind").asText().equals("APIService")).toList();

    assertThat(services)
        .extracting(it -> it.at("/metadata/name").asText())
        .containsExactly(
            "v1beta2." + Domains.VISIBILITY,
            "v1beta1." + Domains.VISIBILITY,
            "v1alpha1." + Domains.VIEW);
    ObjectNode service = only("Service", documents);
    assertThat(services)
        .allSatisfy(
            it -> {
              JsonNode spec = it.path("spec");
              assertThat(it.at("/metadata/name").asText())
                  .isEqualTo(spec.path("version").asText() + "." + spec.path("group").asText());
              assertThat(spec.at("/service/namespace").asText()).isEqualTo("queues");
              assertThat(spec.at("/service/name")).isEqualTo(service.at("/metadata/name"));
              assertThat(spec.at("/service/port")).isEqualTo(service.at("/spec/ports/0/port"));
              assertThat(spec.path("insecureSkipTLSVerify").asBoolean(true)).isFalse();
              assertThat(spec.path("groupPriorityMinimum").asInt()).isEqualTo(100);
              assertThat(spec.path("versionPriority").asInt()).isEqualTo(100);
            });
  }

  @Test
  void theServiceLeadsToThePortOfTheServer() {
    ObjectNode service = only("Service", documents);

    assertThat(service.at("/spec/ports/0/targetPort")).isEqualTo(container.at("/ports/0/name"));
    assertThat(service.at("/spec/selector")).isEqualTo(deployment.at("/spec/selector/matchLabels"));
    assertThat(container.at("/ports/0/containerPort").asInt()).isEqualTo(8082);
    assertThat(texts(container.path("args")))
        .contains("--port=8082", "--service=queues/sluice-see");
  }

  @Test
  void anotherPortIsThatOfContainerAndProgram() {
    JsonNode other =
        only("Deployment", documents(VisibilityServer.DEFAULT.on(9000)))
            .at("/spec/template/spec/containers/0");

    assertThat(other.at("/ports/0/containerPort").asInt()).isEqualTo(9000);
    assertThat(texts(other.path("args"))).contains("--port=9000").doesNotContain("--port=8082");
  }

  @Test
  void oneOfTwoReplicasAnswersWhileTheOtherIsReplaced() {
    ObjectNode budget = only("PodDisruptionBudget", documents);

    assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(2);
    assertThat(deployment.at("/spec/strategy/rollingUpdate/maxUnavailable").asInt(-1)).isZero();
    assertThat(budget.at("/spec/minAvailable").asInt()).isEqualTo(1);
    assertThat(budget.at("/spec/selector")).isEqualTo(deployment.at("/spec/selector"));
  }

  @Test
  void thePodHasTheRestrictionsOfTheOthersAndTheirConfiguration() {
    ObjectNode webhook =
        Installation.into(SERVICE).documents().stream()
            .filter(it -> it.path("kind").asText().equals("Deployment"))
            .findFirst()
            .orElseThrow();
    var configured =
        new ServerConfiguration("kind: Configuration\n", "PriorityBoost=true").withImage("i:1");
    JsonNode adapted =
        Installation.into(SERVICE).configuredBy(configured).documents().stream()
            .filter(it -> it.at("/metadata/name").asText().equals("sluice-see"))
            .filter(it -> it.path("kind").asText().equals("Deployment"))
            .findFirst()
            .orElseThrow()
            .at("/spec/template/spec/containers/0");

    assertThat(container.path("securityContext"))
        .isEqualTo(webhook.at("/spec/template/spec/containers/0/securityContext"));
    assertThat(deployment.at("/spec/template/spec/securityContext"))
        .isEqualTo(webhook.at("/spec/template/spec/securityContext"));
    assertThat(adapted.path("image").asText()).isEqualTo("i:1");
    assertThat(texts(adapted.path("args")))
        .contains("--feature-gates=PriorityBoost=true", "--config=/etc/sluice/config.yaml");
  }

  @Test
  void theServerChangesNothingButItsOwnBundlesAndItsSecret() {
    for (JsonNode rule : only("ClusterRole", documents).path("rules")) {
      List<String> verbs = texts(rule.path("verbs"));
      switch (rule.at("/resources/0").asText()) {
        case "tokenreviews", "subjectaccessreviews" -> assertThat(verbs).containsExactly("create");
        case "apiservices" -> {
          assertThat(verbs).containsExactly("get", "patch");
          assertThat(rule.path("resourceNames")).hasSize(3);
        }
        default -> assertThat(verbs).containsExactly("list", "watch");
      }
    }
    JsonNode secret = only("Role", documents).at("/rules/0");
    assertThat(texts(container.path("args")))
        .contains("--shared-certificates=" + secret.at("/resourceNames/0").asText());
  }

  @Test
  void theRoleInTheSystemNamespaceIsBoundUnlessSomebodyElseDoes() {
    ObjectNode binding =
        documents.stream()
            .filter(it -> it.at("/metadata/namespace").asText().equals("kube-system"))
            .findFirst()
            .orElseThrow();

    assertThat(binding.at("/roleRef/name").asText())
        .isEqualTo("extension-apiserver-authentication-reader");
    assertThat(binding.at("/subjects/0/namespace").asText()).isEqualTo("queues");
    assertThat(documents(VisibilityServer.DEFAULT.withoutAuthReader()))
        .hasSize(documents.size() - 1)
        .noneMatch(it -> it.at("/metadata/namespace").asText().equals("kube-system"));
  }

  @Test
  void whatIsMonitoredIsTheHealthPortOfThePods() {
    ObjectNode monitor =
        Installation.into(SERVICE)
            .configuredBy(ServerConfiguration.NONE.monitored(Monitoring.PLAIN))
            .documents()
            .getLast();

    assertThat(monitor.path("kind").asText()).isEqualTo("PodMonitor");
    assertThat(monitor.at("/metadata/namespace").asText()).isEqualTo("queues");
    assertThat(monitor.at("/spec/selector")).isEqualTo(deployment.at("/spec/selector"));
    assertThat(monitor.at("/spec/podMetricsEndpoints/0/port"))
        .isEqualTo(container.at("/ports/1/name"));
  }

  @Test
  void theApiServerBoundsRequestsOnlyIfAskedAndByTheNumbersOfKueue() {
    List<ObjectNode> added = new ArrayList<>(documents(VisibilityServer.DEFAULT.bounded()));
    added.removeAll(documents);
    JsonNode limited = only("PriorityLevelConfiguration", added).at("/spec/limited");
    JsonNode schema = only("FlowSchema", added).path("spec");

    assertThat(added).hasSize(2);
    assertThat(added).extracting(it -> it.at("/metadata/name").asText()).containsOnly("visibility");
    assertThat(limited.path("nominalConcurrencyShares").asInt()).isEqualTo(10);
    assertThat(limited.path("lendablePercent").asInt()).isEqualTo(90);
    assertThat(limited.at("/limitResponse/queuing/queues").asInt()).isEqualTo(16);
    assertThat(limited.at("/limitResponse/queuing/handSize").asInt()).isEqualTo(4);
    assertThat(limited.at("/limitResponse/queuing/queueLengthLimit").asInt()).isEqualTo(50);
    assertThat(schema.path("matchingPrecedence").asInt()).isEqualTo(9000);
    assertThat(schema.at("/distinguisherMethod/type").asText()).isEqualTo("ByUser");
    assertThat(schema.at("/priorityLevelConfiguration/name").asText()).isEqualTo("visibility");
    assertThat(texts(schema.at("/rules/0/resourceRules/0/apiGroups")))
        .containsExactly(Domains.VISIBILITY, Domains.VIEW);
    assertThat(documents(new VisibilityServer(false, 8082, true, true, true))).isEmpty();
  }

  @Test
  void whereForecastsAreWrittenTheServerMayPatchWorkloadsAndHoldOneLease() {
    List<ObjectNode> added = new ArrayList<>(documents(VisibilityServer.DEFAULT.annotating()));
    added.removeAll(documents);

    assertThat(texts(only("Deployment", added).at("/spec/template/spec/containers/0/args")))
        .contains(VisibilityServer.ANNOTATING_FLAG);
    assertThat(texts(container.path("args"))).doesNotContain(VisibilityServer.ANNOTATING_FLAG);
    assertThat(added)
        .extracting(it -> it.path("kind").asText())
        .containsExactlyInAnyOrder(
            "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "Deployment");
    JsonNode rules = only("ClusterRole", added).path("rules");
    assertThat(rules).hasSize(1);
    assertThat(texts(rules.at("/0/resources"))).containsExactly("workloads");
    assertThat(texts(rules.at("/0/verbs"))).containsExactly("patch");
    assertThat(only("Role", added).at("/metadata/namespace").asText()).isEqualTo("queues");
    assertThat(texts(only("Role", added).at("/rules/1/resourceNames")))
        .containsExactly("sluice-see-forecasts");
    assertThat(added)
        .filteredOn(it -> it.has("subjects"))
        .allMatch(it -> it.at("/subjects/0/namespace").asText().equals("queues"));
  }

  @Test
  void aClusterWithoutTheServerHasNothingOfIt() {
    assertThat(documents(VisibilityServer.NONE)).isEmpty();
    assertThat(
            Installation.into(SERVICE)
                .configuredBy(ServerConfiguration.NONE.showing(VisibilityServer.NONE))
                .documents())
        .noneMatch(it -> it.path("kind").asText().equals("APIService"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 65536})
  void refusesAPortThatIsNone(int port) {
    assertThatThrownBy(() -> VisibilityServer.DEFAULT.on(port))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: 1..65535");
  }
}
