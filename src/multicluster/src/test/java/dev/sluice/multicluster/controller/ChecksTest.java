package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import org.junit.jupiter.api.Test;

class ChecksTest {
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
  void withoutAConfigurationAWorkloadStaysWhereItIs() {
    check("mk", "kueue.x-k8s.io/multikueue");

    assertThat(checks.clusters("mk", workload("'clusterName': 'z'"))).containsExactly("z");
    assertThat(checks.clusters("mk", workload("'nominatedClusterNames': ['x', 'y']")))
        .containsExactly("x", "y");
    assertThat(checks.clusters("mk", workload(""))).isEmpty();
  }
}
