package dev.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RegistrationTest {

  private final Manifests manifests = new Manifests();

  @ParameterizedTest
  @EnumSource
  void createsAndUpdatesOfAKindArriveAtItsPathAtTheHubVersion(ApiKind kind) {
    JsonNode webhook = webhook(validating(), "v" + word(kind) + ".kb.io");

    assertThat(webhook.at("/clientConfig/service/path").asText())
        .isEqualTo("/validate-kueue-x-k8s-io-v1beta2-" + word(kind));
    JsonNode rule = webhook.at("/rules/0");
    assertThat(texts(rule.path("resources")))
        .startsWith(kind.plural())
        .hasSize(kind == ApiKind.WORKLOAD ? 2 : 1);
    assertThat(texts(rule.path("apiGroups"))).containsExactly(ApiVersion.GROUP);
    assertThat(texts(rule.path("apiVersions"))).containsExactly(ApiVersion.HUB.text());
    assertThat(texts(rule.path("operations"))).startsWith("CREATE").doesNotContain("DELETE");
    assertThat(rule.path("scope").asText())
        .isEqualTo(manifests.crd(kind).at("/spec/scope").asText());
  }

  @ParameterizedTest
  @EnumSource(names = {"CLUSTER_QUEUE", "RESOURCE_FLAVOR", "WORKLOAD"})
  void whatIsSetIsSetOnCreatesOnly(ApiKind kind) {
    JsonNode webhook = webhook(mutating(), "m" + word(kind) + ".kb.io");

    assertThat(webhook.at("/clientConfig/service/path").asText())
        .isEqualTo("/mutate-kueue-x-k8s-io-v1beta2-" + word(kind));
    assertThat(texts(webhook.at("/rules/0/resources"))).containsExactly(kind.plural());
    assertThat(texts(webhook.at("/rules/0/operations"))).containsExactly("CREATE");
  }

  @Test
  void theStatusOfWorkloadsIsChecked() {
    assertThat(texts(webhook(validating(), "vworkload.kb.io").at("/rules/0/resources")))
        .containsExactly("workloads", "workloads/status");
  }

  @Test
  void aWriteIsRefusedRatherThanLetThroughUnseenAndNoWebhookActsElsewhere() {
    assertThat(Stream.concat(mutating().stream(), validating().stream()))
        .allSatisfy(
            webhook -> {
              assertThat(webhook.path("failurePolicy").asText())
                  .isEqualTo(webhook.path("name").asText().contains("guard") ? "Ignore" : "Fail");
              assertThat(webhook.path("matchPolicy").asText()).isEqualTo("Equivalent");
              assertThat(webhook.path("sideEffects").asText()).isEqualTo("None");
              assertThat(webhook.path("timeoutSeconds").asInt()).isBetween(1, 5);
              assertThat(webhook.has("reinvocationPolicy")).isFalse();
              assertThat(texts(webhook.path("admissionReviewVersions"))).containsExactly("v1");
            });
  }

  @Test
  void podsOfJobsAreShownToTheGuardWhenTheyAreCreated() {
    JsonNode webhook = webhook(validating(), "vpodguard.sluice.dev");

    assertThat(webhook.at("/clientConfig/service/path").asText()).isEqualTo("/guard--v1-pod");
    assertThat(texts(webhook.at("/rules/0/resources"))).containsExactly("pods");
    assertThat(texts(webhook.at("/rules/0/operations"))).containsExactly("CREATE");
    assertThat(webhook.at("/matchConditions/0/name").asText()).isEqualTo("made-by-a-job");
  }

  @Test
  void noNameStandsTwice() {
    assertThat(Stream.concat(mutating().stream(), validating().stream()))
        .extracting(webhook -> webhook.path("name").asText())
        .doesNotHaveDuplicates();
  }

  /** Pods, Jobs and the like: who may write what in the cluster must not hang on us. */
  @Test
  void kindsThatWeDoNotOwnAreLeftAloneInTheNamespacesOfTheSystem() {
    assertThat(Stream.concat(mutating().stream(), validating().stream()))
        .filteredOn(webhook -> !texts(webhook.at("/rules/0/apiGroups")).contains(ApiVersion.GROUP))
        .allSatisfy(
            webhook ->
                assertThat(texts(webhook.at("/namespaceSelector/matchExpressions/0/values")))
                    .containsExactly("kube-system", "sluice-system"));
  }

  private List<JsonNode> mutating() {
    return webhooks(manifests.registration().getFirst());
  }

  private List<JsonNode> validating() {
    return webhooks(manifests.registration().getLast());
  }

  private static List<JsonNode> webhooks(JsonNode configuration) {
    return StreamSupport.stream(configuration.path("webhooks").spliterator(), false).toList();
  }

  private static JsonNode webhook(List<JsonNode> webhooks, String name) {
    return webhooks.stream()
        .filter(webhook -> webhook.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String word(ApiKind kind) {
    return kind.kind().toLowerCase(Locale.ROOT);
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }
}
