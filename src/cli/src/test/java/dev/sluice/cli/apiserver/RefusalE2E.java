package dev.sluice.cli.apiserver;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.COHORT;
import static dev.sluice.api.ApiKind.TOPOLOGY;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad objects are refused at every version, with a sentence that names object and field. */
@FullTier
@NeedsDevCluster
class RefusalE2E {
  private static final String TOO_LONG = "example.com/" + "x".repeat(52);

  /** What a client sends, as members of the object's root, and the field that is at fault. */
  enum Fault {
    NO_SPEC(TOPOLOGY, "", "spec"),
    NO_LEVELS(TOPOLOGY, "\"spec\":{}", "spec.levels"),
    EMPTY_LEVELS(TOPOLOGY, "\"spec\":{\"levels\":[]}", "spec.levels"),
    DUPLICATE_LABELS(TOPOLOGY, levels("rack", "rack"), "spec.levels"),
    HOSTNAME_IN_THE_MIDDLE(TOPOLOGY, levels("kubernetes.io/hostname", "rack"), "spec.levels"),
    LABEL_TOO_LONG(TOPOLOGY, levels("rack", TOO_LONG), "spec.levels[1].nodeLabel"),
    NO_LABEL_KEY(TOPOLOGY, levels("rack", "a b"), "spec.levels[1].nodeLabel"),
    OWN_PARENT(COHORT, "\"spec\":{\"PARENT\":\"NAME\"}", "spec.parentName");

    private final ApiKind kind;
    private final String members;
    private final String field;

    Fault(ApiKind kind, String members, String field) {
      this.kind = kind;
      this.members = members;
      this.field = field;
    }

    private static String levels(String first, String second) {
      return "\"spec\":{\"levels\":[{\"nodeLabel\":\"%s\"},{\"nodeLabel\":\"%s\"}]}"
          .formatted(first, second);
    }

    String object(ApiVersion version, String name) {
      String own = members.replace("PARENT", Kueue.parentField(version)).replace("NAME", name);
      return Kueue.object(kind, version, name, own);
    }
  }

  static Stream<Arguments> faults() {
    return Stream.of(Fault.values())
        .flatMap(fault -> Stream.of(ApiVersion.values()).map(at -> Arguments.of(fault, at)));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void isRefusedWithASentenceThatNamesObjectAndField(
      Fault fault, ApiVersion version, DevCluster cluster) {
    String name = fault.name().toLowerCase(Locale.ROOT).replace("_", "-") + "-" + version;
    ApiClient api = cluster.controlPlane().client();

    var answer =
        api.create(Kueue.collection(fault.kind, version), fault.object(version, name)).json();

    assertThat(answer.path("code").asInt()).isIn(403, 422);
    assertThat(answer.path("message").asText())
        .contains(fault.kind.kind(), "\"" + name + "\"", fault.field)
        .doesNotContain("Exception", "dev.sluice", "failed calling webhook");
    assertThat(api.get(Kueue.path(fault.kind, version, name)).status()).isEqualTo(404);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"admissionScope":{}} | spec.admissionScope.admissionMode
          {"cohort":""}         | spec.cohort
          {"resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"f","resources":[{"name":"cpu"}]}]}]} | spec.resourceGroups[0].flavors[0].resources[0].nominalQuota
          """)
  void aNewClusterQueueAtV1beta1ThatLacksWhatItMustHaveIsRefusedByItsField(
      String spec, String field, DevCluster cluster) {
    ApiClient api = cluster.controlPlane().client();

    var answer =
        api.create(
                Kueue.collection(CLUSTER_QUEUE, V1BETA1),
                Kueue.object(CLUSTER_QUEUE, V1BETA1, "forgetful", "\"spec\":" + spec))
            .json();

    assertThat(answer.path("code").asInt()).isEqualTo(422);
    assertThat(answer.path("message").asText()).contains("ClusterQueue", "\"forgetful\"", field);
    assertThat(api.get(Kueue.path(CLUSTER_QUEUE, V1BETA1, "forgetful")).status()).isEqualTo(404);
  }
}
