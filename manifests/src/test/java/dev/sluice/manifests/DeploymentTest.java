package dev.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class DeploymentTest {

  private final Manifests manifests = new Manifests();
  private final ObjectNode service = manifests.deployment().getFirst();
  private final ObjectNode deployment = only("Deployment", manifests.deployment());
  private final JsonNode pod = deployment.at("/spec/template/spec");
  private final JsonNode container = pod.at("/containers/0");

  @Test
  void theServerMayWriteItsOwnDefinitionsAndRegistrationAndNothingElse() {
    JsonNode rules = only("ClusterRole", manifests.rbac()).path("rules");

    assertThat(rules).hasSize(4);
    assertThat(texts(rules.at("/0/resources"))).containsExactly("customresourcedefinitions");
    assertThat(texts(rules.at("/0/resourceNames")))
        .isEqualTo(Stream.of(ApiKind.values()).map(ApiKind::crdName).toList());
    assertThat(texts(rules.at("/0/verbs"))).containsExactly("get", "patch");
    for (int i = 1; i <= 2; i++) {
      ObjectNode configuration = manifests.registration().get(i - 1);
      assertThat(texts(rules.get(i).path("resources")))
          .containsExactly(configuration.path("kind").asText().toLowerCase(Locale.ROOT) + "s");
      assertThat(texts(rules.get(i).path("resourceNames")))
          .containsExactly(configuration.at("/metadata/name").asText());
    }
    assertThat(texts(rules.at("/3/resourceNames")))
        .containsExactly(only("ClusterRole", manifests.rbac()).at("/metadata/name").asText());
    assertThat(texts(rules.at("/3/verbs"))).containsExactly("get");
  }

  /** It answers on the network, so a stolen token of it must not end anybody's work. */
  @Test
  void theServerMayChangeNoJobAndNoPod() {
    Stream.of(manifests.rbac(), manifests.viewRbac())
        .flatMap(List::stream)
        .flatMap(document -> document.path("rules").valueStream())
        .filter(rule -> !rule.has("resourceNames"))
        .forEach(
            rule ->
                assertThat(List.of("get", "list", "watch")).containsAll(texts(rule.path("verbs"))));
  }

  @Test
  void eachContainerHasTheTokenOfAnAccountOfItsOwn() {
    String server = only("ServiceAccount", manifests.rbac()).at("/metadata/name").asText();
    String scheduler =
        only("ServiceAccount", manifests.schedulerRbac()).at("/metadata/name").asText();
    ObjectNode secret = only("Secret", manifests.rbac());

    assertThat(server).isNotEqualTo(scheduler);
    assertThat(pod.path("serviceAccountName").asText()).isEqualTo(scheduler);
    assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
    assertThat(tokenVolume(0).at("/secret/secretName")).isEqualTo(secret.at("/metadata/name"));
    assertThat(secret.path("type").asText()).isEqualTo("kubernetes.io/service-account-token");
    assertThat(secret.at("/metadata/annotations").path("kubernetes.io/service-account.name"))
        .isEqualTo(only("ServiceAccount", manifests.rbac()).at("/metadata/name"));
    assertThat(tokenVolume(1).at("/projected/sources/0").has("serviceAccountToken")).isTrue();
    assertThat(subjects(manifests.rbac())).containsOnly(server);
    assertThat(subjects(manifests.viewRbac())).containsOnly(server);
    assertThat(subjects(manifests.schedulerRbac())).containsOnly(scheduler);
  }

  /** What a container has where clients look for the token of their account. */
  private JsonNode tokenVolume(int which) {
    List<String> names =
        pod.at("/containers/" + which + "/volumeMounts")
            .valueStream()
            .filter(
                it ->
                    it.path("mountPath")
                        .asText()
                        .equals("/var/run/secrets/kubernetes.io/serviceaccount"))
            .map(it -> it.path("name").asText())
            .toList();
    assertThat(names).hasSize(1);
    return pod.path("volumes")
        .valueStream()
        .filter(it -> it.path("name").asText().equals(names.getFirst()))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> subjects(List<ObjectNode> documents) {
    return documents.stream()
        .flatMap(document -> document.path("subjects").valueStream())
        .map(subject -> subject.path("name").asText())
        .toList();
  }

  private static ObjectNode only(String kind, List<ObjectNode> documents) {
    List<ObjectNode> found =
        documents.stream().filter(it -> it.path("kind").asText().equals(kind)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  @Test
  void theSchedulerRunsBesideTheServerInAContainerOfItsOwn() {
    JsonNode scheduler = pod.at("/containers/1");

    assertThat(scheduler.path("image")).isEqualTo(container.path("image"));
    assertThat(texts(scheduler.path("args"))).startsWith("schedule");
    assertThat(texts(scheduler.path("args")))
        .contains("--http-port=" + scheduler.at("/livenessProbe/httpGet/port").asInt());
    assertThat(scheduler.path("securityContext")).isEqualTo(container.path("securityContext"));
  }

  @Test
  void bothContainersMeetAtASocketOnAVolumeThatOnlyTheyHave() {
    String socket = "--ledger=/run/sluice/ledger.sock";

    for (JsonNode one : pod.path("containers")) {
      assertThat(texts(one.path("args"))).contains(socket);
      assertThat(one.path("volumeMounts"))
          .anySatisfy(
              mount -> {
                assertThat(mount.path("name").asText()).isEqualTo("ledger");
                assertThat(mount.path("mountPath").asText()).isEqualTo("/run/sluice");
              });
    }
    assertThat(pod.path("volumes"))
        .anySatisfy(
            volume -> {
              assertThat(volume.path("name").asText()).isEqualTo("ledger");
              assertThat(volume.has("emptyDir")).isTrue();
            });
  }

  @Test
  void portsHaveNamesThatAnApiServerTakes() {
    for (JsonNode one : pod.path("containers")) {
      assertThat(one.path("ports"))
          .isNotEmpty()
          .allSatisfy(
              port -> assertThat(port.path("name").asText()).matches("[a-z][a-z0-9-]{0,14}"));
    }
  }

  @Test
  void theServiceLeadsToTheHttpsPortOfTheServer() {
    assertThat(service.at("/metadata/name").asText()).isEqualTo(Target.Service.DEFAULT.name());
    assertThat(service.at("/spec/ports/0/port").asInt()).isEqualTo(443);
    assertThat(service.at("/spec/ports/0/targetPort")).isEqualTo(container.at("/ports/0/name"));
    assertThat(container.at("/ports/0/containerPort").asInt()).isEqualTo(9443);
    assertThat(service.at("/spec/selector")).isEqualTo(deployment.at("/spec/selector/matchLabels"));
  }

  @Test
  void probesReachTheHealthPortBecauseItIsOpenOnThePodsAddress() {
    assertThat(texts(container.path("args"))).startsWith("serve").contains("--http-host=0.0.0.0");
    assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/readyz");
    assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/healthz");
    assertThat(container.at("/readinessProbe/httpGet/port"))
        .isEqualTo(container.at("/ports/1/name"));
    assertThat(container.at("/ports/1/containerPort").asInt()).isEqualTo(8080);
  }

  @Test
  void thePodFitsTheRestrictedSecurityStandard() {
    JsonNode own = container.path("securityContext");

    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
    assertThat(own.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(own.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(texts(own.at("/capabilities/drop"))).containsExactly("ALL");
  }

  @Test
  void twoReplicasShareAnAuthorityThatTheAccountOfTheServerMayKeep() {
    JsonNode rule = only("Role", manifests.rbac()).at("/rules/0");

    assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(2);
    assertThat(texts(container.path("args")))
        .contains("--shared-certificates=" + rule.at("/resourceNames/0").asText());
    assertThat(texts(rule.path("resources"))).containsExactly("secrets");
    assertThat(texts(rule.path("verbs"))).containsExactly("get", "create", "patch");
  }

  @Test
  void anUpdateAndADrainOfNodesLeaveOneReplicaThatAnswers() {
    ObjectNode budget = only("PodDisruptionBudget", manifests.deployment());

    assertThat(deployment.at("/spec/strategy/rollingUpdate/maxUnavailable").asInt(-1)).isZero();
    assertThat(deployment.at("/spec/strategy/rollingUpdate/maxSurge").asInt()).isPositive();
    assertThat(budget.at("/spec/minAvailable").asInt()).isEqualTo(1);
    assertThat(budget.at("/spec/selector")).isEqualTo(deployment.at("/spec/selector"));
    assertThat(pod.at("/topologySpreadConstraints/0/labelSelector"))
        .isEqualTo(deployment.at("/spec/selector"));
  }

  @Test
  void aPodThatStopsAnswersUntilNobodySendsAnythingAnyMore() {
    String drain =
        texts(container.path("args")).stream()
            .filter(it -> it.startsWith("--drain-delay="))
            .findFirst()
            .orElseThrow();

    assertThat(drain).isEqualTo("--drain-delay=10s");
    // and 10 s for requests under way
    assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isGreaterThan(20);
  }

  @Test
  void theNetworkPolicyOpensThePortsOfTheContainersAndNoOther() {
    ObjectNode policy = only("NetworkPolicy", manifests.deployment());
    List<String> open = policy.findValuesAsText("port");
    List<String> ports =
        pod.path("containers")
            .valueStream()
            .flatMap(it -> it.path("ports").valueStream())
            .map(it -> it.path("name").asText())
            .toList();

    assertThat(policy.at("/spec/podSelector")).isEqualTo(deployment.at("/spec/selector"));
    assertThat(open).containsExactlyInAnyOrderElementsOf(ports);
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }
}
