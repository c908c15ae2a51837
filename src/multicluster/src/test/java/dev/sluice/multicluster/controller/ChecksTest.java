package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChecksTest {
  private static final GroupKind CLUSTER = ApiKind.MULTI_KUEUE_CLUSTER.groupKind();
  private static final String DELETED =
      "{'metadata': {'name': 'b', 'deletionTimestamp': '2026-11-24T10:00:00Z'}}";

  private final Lookup objects = new Lookup();
  private final Checks checks = new Checks(objects);

  private static JsonNode workload(String status) {
    return Lookup.tree(
        "{'metadata': {'namespace': 'ns', 'name': 'w'}, 'status': {%s}}".formatted(status));
  }

  private void check(String name, String controller) {
    objects.add(
        ApiKind.ADMISSION_CHECK.groupKind(),
        """
        {'metadata': {'name': '%s'}, 'spec': {'controllerName': '%s', 'parameters': {'name': 'c'}}}\
        """
            .formatted(name, controller));
  }

  @Test
  void theCheckOfMultiKueueIsFoundAmongOthers() {
    check("other", "example.com/yes");
    check("mk", "kueue.x-k8s.io/multikueue");

    assertThat(
            checks.of(
                workload(
                    "'admissionChecks': [{'name': 'gone'}, {'name': 'other'}, {'name': 'mk'}]")))
        .isEqualTo("mk");
    assertThat(checks.of(workload("'admissionChecks': [{'name': 'other'}]"))).isEmpty();
    assertThat(checks.of(workload(""))).isEmpty();
  }

  @Test
  void clustersAreThoseOfTheConfigurationInItsOrder() {
    check("mk", "kueue.x-k8s.io/multikueue");
    objects.add(
        ApiKind.MULTI_KUEUE_CONFIG.groupKind(),
        "{'metadata': {'name': 'c'}, 'spec': {'clusters': ['b', 'a']}}");

    assertThat(checks.clusters("mk", workload("'clusterName': 'z'"))).containsExactly("b", "a");
  }

  @Test
  void aClusterThatIsDeletedIsNoneOfThem() {
    check("mk", "kueue.x-k8s.io/multikueue");
    objects.add(
        ApiKind.MULTI_KUEUE_CONFIG.groupKind(),
        "{'metadata': {'name': 'c'}, 'spec': {'clusters': ['b', 'a']}}");
    objects.add(CLUSTER, "{'metadata': {'name': 'a'}}");
    objects.add(CLUSTER, DELETED);

    assertThat(checks.clusters("mk", workload(""))).containsExactly("a");
    assertThat(checks.hasCluster("b")).isTrue();
    assertThat(checks.hasCluster("c")).isFalse();
  }

  @Test
  void onlyADeletionOfAClusterConcernsAllWorkloads() {
    Optional<JsonNode> there = Optional.of(Lookup.tree("{'metadata': {'name': 'b'}}"));
    Optional<JsonNode> deleted = Optional.of(Lookup.tree(DELETED));

    assertThat(Checks.concern(CLUSTER, new ObjectChange(there, there))).isFalse();
    assertThat(Checks.concern(CLUSTER, new ObjectChange(there, deleted))).isTrue();
    assertThat(Checks.concern(CLUSTER, new ObjectChange(there, Optional.empty()))).isTrue();
    assertThat(Checks.concern(CLUSTER, new ObjectChange(deleted, deleted))).isFalse();
  }

  @Test
  void withoutAConfigurationAWorkloadStaysWhereItIs() {
    check("mk", "kueue.x-k8s.io/multikueue");

    assertThat(checks.clusters("mk", workload("'clusterName': 'z'"))).containsExactly("z");
    assertThat(checks.clusters("mk", workload("'nominatedClusterNames': ['x', 'y']")))
        .containsExactly("x", "y");
    assertThat(checks.clusters("mk", workload(""))).isEmpty();
  }
}
