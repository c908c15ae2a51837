package dev.sluice.cli.apiserver;

import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.testkit.FullTier;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The owners of a Workload's fields are not tracked until somebody applies it. */
@FullTier
@NeedsDevCluster
class ManagedFieldsE2E {
  private static final String SPEC =
      "\"spec\":{\"active\":true,\"queueName\":\"nowhere\",\"podSets\":[{\"name\":\"main\","
          + "\"count\":1,\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}],"
          + "\"restartPolicy\":\"Never\"}}}]}";

  private ApiClient api;

  @BeforeEach
  void connect(DevCluster cluster) {
    api = cluster.controlPlane().client();
  }

  private JsonNode create(String name, ApiVersion version, String manager) {
    return api.create(
            Kueue.collection(WORKLOAD, version) + "?fieldManager=" + manager,
            Kueue.object(WORKLOAD, version, name, SPEC))
        .orThrow()
        .json();
  }

  private static List<String> managers(JsonNode workload) {
    return StreamSupport.stream(workload.at("/metadata/managedFields").spliterator(), false)
        .map(it -> it.path("manager").asText())
        .sorted()
        .toList();
  }

  private ApiClient.Response apply(String name, String options, String members) {
    String path = Kueue.path(WORKLOAD, V1BETA2, name) + "?fieldManager=gitops" + options;
    return api.apply(path, Kueue.object(WORKLOAD, V1BETA2, name, members));
  }

  @ParameterizedTest
  @CsvSource({"V1BETA1", "V1BETA2"})
  void aWorkloadOfTheSchedulerHasNoOwnersAndGetsNoneByPatches(ApiVersion version) {
    String name = "untracked-" + version;

    assertThat(managers(create(name, version, Writes.MANAGER))).isEmpty();
    JsonNode patched =
        api.mergePatch(
                Kueue.path(WORKLOAD, version, name), "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
            .orThrow()
            .json();
    assertThat(patched.at("/metadata/labels/a").asText()).isEqualTo("b");
    assertThat(managers(patched)).isEmpty();
  }

  @Test
  void aWorkloadOfSomebodyElseKeepsItsOwners() {
    assertThat(managers(create("tracked", V1BETA2, "kubectl-create")))
        .containsExactly("kubectl-create");
  }

  @Test
  void anApplyBringsTheOwnersBackAndIsToldOfConflictsAsBefore() {
    create("applied", V1BETA2, Writes.MANAGER);

    JsonNode labelled =
        apply("applied", "", "").orThrow().json(); // nothing but its name: it owns no field yet
    assertThat(managers(labelled)).doesNotContain(Writes.MANAGER);
    ApiClient.Response conflict = apply("applied", "", "\"spec\":{\"active\":false}");
    assertThat(conflict.status()).isEqualTo(409);
    assertThat(conflict.json().path("message").asText())
        .contains("before-first-apply", ".spec.active");
    JsonNode forced =
        apply("applied", "&force=true", "\"spec\":{\"active\":false}").orThrow().json();
    assertThat(forced.at("/spec/active").asBoolean()).isFalse();
    assertThat(managers(forced)).contains("gitops", "before-first-apply");

    JsonNode patched =
        api.mergePatch(Kueue.path(WORKLOAD, V1BETA2, "applied"), "{\"spec\":{\"active\":true}}")
            .orThrow()
            .json();
    assertThat(patched.at("/spec/active").asBoolean()).isTrue();
  }
}
