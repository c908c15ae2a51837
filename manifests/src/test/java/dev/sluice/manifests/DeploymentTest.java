package dev.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class DeploymentTest {

  private final Manifests manifests = new Manifests();
  private final ObjectNode service = manifests.deployment().getFirst();
  private final ObjectNode deployment = manifests.deployment().getLast();
  private final JsonNode pod = deployment.at("/spec/template/spec");
  private final JsonNode container = pod.at("/containers/0");

  @Test
  void theServerMayPatchItsOwnDefinitionsAndRegistrationAndNothingElse() {
    JsonNode rules = manifests.rbac().get(1).path("rules");

    assertThat(rules).hasSize(3);
    assertThat(texts(rules.at("/0/resources"))).containsExactly("customresourcedefinitions");
    assertThat(texts(rules.at("/0/resourceNames")))
        .isEqualTo(Stream.of(ApiKind.values()).map(ApiKind::crdName).toList());
    assertThat(texts(rules.at("/1/resources"))).containsExactly("mutatingwebhookconfigurations");
    assertThat(texts(rules.at("/1/resourceNames")))
        .containsExactly(manifests.registration().getFirst().at("/metadata/name").asText());
    assertThat(texts(rules.at("/2/resources"))).containsExactly("validatingwebhookconfigurations");
    assertThat(texts(rules.at("/2/resourceNames")))
        .containsExactly(manifests.registration().getLast().at("/metadata/name").asText());
    assertThat(rules)
        .allSatisfy(rule -> assertThat(texts(rule.path("verbs"))).containsExactly("get", "patch"));
  }

  @Test
  void theRightsReachTheServerThroughItsServiceAccount() {
    List<ObjectNode> rbac = manifests.rbac();
    String account = rbac.getFirst().at("/metadata/name").asText();

    assertThat(pod.path("serviceAccountName").asText()).isEqualTo(account);
    assertThat(rbac.getLast().at("/subjects/0/name").asText()).isEqualTo(account);
    assertThat(rbac.getLast().at("/roleRef/name")).isEqualTo(rbac.get(1).at("/metadata/name"));
  }

  @Test
  void theSchedulerRunsBesideTheServerInAContainerOfItsOwn() {
    JsonNode scheduler = pod.at("/containers/1");
    List<ObjectNode> rbac = manifests.schedulerRbac();

    assertThat(scheduler.path("image")).isEqualTo(container.path("image"));
    assertThat(texts(scheduler.path("args"))).startsWith("schedule");
    assertThat(texts(scheduler.path("args")))
        .contains("--http-port=" + scheduler.at("/livenessProbe/httpGet/port").asInt());
    assertThat(scheduler.path("securityContext")).isEqualTo(container.path("securityContext"));
    assertThat(rbac)
        .filteredOn(document -> document.has("subjects"))
        .hasSize(2)
        .allSatisfy(
            binding ->
                assertThat(binding.at("/subjects/0/name"))
                    .isEqualTo(pod.path("serviceAccountName")));
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
  void oneReplicaOwnsTheAuthorityOnItsVolume() {
    assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(1);
    assertThat(deployment.at("/spec/strategy/type").asText()).isEqualTo("Recreate");
    assertThat(texts(container.path("args"))).contains("--data=/var/lib/sluice");
    assertThat(container.at("/volumeMounts/0/mountPath").asText()).isEqualTo("/var/lib/sluice");
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }
}
