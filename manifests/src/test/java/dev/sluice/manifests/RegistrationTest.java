package dev.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.ObjectPath;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RegistrationTest {

  private static final JobSelection ALL =
      new JobSelection(
          Stream.of(Framework.values()).map(Framework::frameworkName).collect(Collectors.toSet()),
          List.of());

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

  @ParameterizedTest
  @EnumSource
  void writesOfAKindOfJobsArriveAtItsPathOnceItIsOn(Framework framework) {
    String word = framework.type().kind().toLowerCase(Locale.ROOT);
    String path =
        "-%s-%s-%s"
            .formatted(
                framework.type().group().replace('.', '-'), framework.type().version(), word);

    for (String phase : List.of("mutate", "validate")) {
      JsonNode webhook =
          webhook(
              phase.equals("mutate") ? mutating() : validating(),
              phase.charAt(0) + word + ".kb.io");
      assertThat(webhook.at("/clientConfig/service/path").asText()).isEqualTo("/" + phase + path);
      JsonNode rule = webhook.at("/rules/0");
      assertThat(texts(rule.path("apiGroups"))).containsExactly(framework.type().group());
      assertThat(texts(rule.path("apiVersions"))).containsExactly(framework.type().version());
      assertThat(texts(rule.path("resources"))).containsExactly(framework.plural());
      assertThat(texts(rule.path("operations")))
          .isEqualTo(
              phase.equals("validate") || framework.needsPods()
                  ? List.of("CREATE", "UPDATE")
                  : List.of("CREATE"));
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "batch/job,mjob.kb.io",
    "pod,mpod.kb.io",
    "deployment,mpod.kb.io mdeployment.kb.io",
    "ray.io/rayjob,mrayjob.kb.io"
  })
  void noWriteWaitsForUsOfAKindThatIsOff(String framework, String names) {
    var selection = new JobSelection(Set.of(framework), List.of());

    assertThat(webhooks(manifests.registration(selection).getFirst()))
        .filteredOn(webhook -> !texts(webhook.at("/rules/0/apiGroups")).contains(ApiVersion.GROUP))
        .extracting(webhook -> webhook.path("name").asText())
        .containsExactly(names.split(" "));
  }

  @Test
  void aKindOfAConfigurationIsRegisteredLikeTheOthers() {
    var custom =
        new CustomKind(
            new GroupVersionKind("example.com", "v1", "Flow"),
            "flows",
            ObjectPath.parse("spec.suspend"),
            List.of(),
            Optional.empty());
    List<ObjectNode> documents =
        manifests.registration(new JobSelection(Set.of(), List.of(custom)));

    JsonNode webhook = webhook(webhooks(documents.getLast()), "vflow.example.com.kb.io");
    assertThat(webhook.at("/clientConfig/service/path").asText())
        .isEqualTo("/validate-example-com-v1-flow");
    assertThat(texts(webhook.at("/rules/0/resources"))).containsExactly("flows");
    assertThat(webhook.at("/matchConditions/0/name").asText()).isEqualTo("changes");
    assertThat(
            webhook(webhooks(documents.getFirst()), "mflow.example.com.kb.io")
                .at("/rules/0/operations"))
        .hasSize(1);
  }

  /** The API server refuses a configuration with two webhooks of one name. */
  @Test
  void kindsOfTheSameNameInDifferentGroupsHaveWebhooksOfDifferentNames() {
    List<CustomKind> custom =
        Stream.of("batch.volcano.sh/Job", "argoproj.io/Workflow", "example.com/Workflow")
            .map(it -> it.split("/", -1))
            .map(
                it ->
                    new CustomKind(
                        new GroupVersionKind(it[0], "v1alpha1", it[1]),
                        "things",
                        ObjectPath.parse("spec.suspend"),
                        List.of(),
                        Optional.empty()))
            .toList();

    List<ObjectNode> documents =
        manifests.registration(new JobSelection(Set.of("batch/job"), custom));

    for (ObjectNode document : documents) {
      assertThat(webhooks(document))
          .extracting(it -> it.path("name").asText())
          .doesNotHaveDuplicates()
          .anyMatch(it -> it.endsWith("job.kb.io"))
          .anyMatch(it -> it.endsWith("job.batch.volcano.sh.kb.io"));
    }
  }

  private List<JsonNode> mutating() {
    return webhooks(manifests.registration(ALL).getFirst());
  }

  private List<JsonNode> validating() {
    return webhooks(manifests.registration(ALL).getLast());
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
