package dev.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RegistrationTest {

  private final Manifests manifests = new Manifests();

  @Test
  void theKindsWithRulesHaveTheirWebhooks() {
    assertThat(webhooks())
        .extracting(webhook -> webhook.path("name").asText())
        .containsExactly("vcohort.kb.io", "vtopology.kb.io");
  }

  @ParameterizedTest
  @EnumSource(names = {"COHORT", "TOPOLOGY"})
  void createsAndUpdatesOfAKindArriveAtItsPathAtTheHubVersion(ApiKind kind) {
    JsonNode webhook = webhook("v" + word(kind) + ".kb.io");

    assertThat(webhook.at("/clientConfig/service/path").asText())
        .isEqualTo("/validate-kueue-x-k8s-io-v1beta2-" + word(kind));
    JsonNode rule = webhook.at("/rules/0");
    assertThat(texts(rule.path("resources"))).containsExactly(kind.plural());
    assertThat(texts(rule.path("apiGroups"))).containsExactly(ApiVersion.GROUP);
    assertThat(texts(rule.path("apiVersions"))).containsExactly(ApiVersion.HUB.text());
    assertThat(texts(rule.path("operations"))).containsExactly("CREATE", "UPDATE");
    assertThat(rule.path("scope").asText())
        .isEqualTo(manifests.crd(kind).at("/spec/scope").asText());
  }

  @Test
  void aWriteIsRefusedRatherThanLetThroughUnseen() {
    assertThat(webhooks())
        .allSatisfy(
            webhook -> {
              assertThat(webhook.path("failurePolicy").asText()).isEqualTo("Fail");
              assertThat(webhook.path("matchPolicy").asText()).isEqualTo("Equivalent");
              assertThat(webhook.path("sideEffects").asText()).isEqualTo("None");
              assertThat(webhook.path("timeoutSeconds").asInt()).isEqualTo(5);
              assertThat(texts(webhook.path("admissionReviewVersions"))).containsExactly("v1");
            });
  }

  private JsonNode webhook(String name) {
    return webhooks().stream()
        .filter(webhook -> webhook.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private List<JsonNode> webhooks() {
    ObjectNode registration = manifests.registration().getFirst();
    return StreamSupport.stream(registration.path("webhooks").spliterator(), false).toList();
  }

  private static String word(ApiKind kind) {
    return kind.kind().toLowerCase(Locale.ROOT);
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }
}
