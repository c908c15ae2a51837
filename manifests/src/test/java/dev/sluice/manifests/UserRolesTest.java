package dev.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class UserRolesTest {
  private final List<ObjectNode> roles = new Manifests().userRoles();

  private ObjectNode role(String name) {
    return roles.stream()
        .filter(role -> role.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no role " + name));
  }

  /** The roles that a collection has, as a cluster would put them together. */
  private Stream<ObjectNode> collectedBy(String collection) {
    JsonNode label = role(collection).at("/aggregationRule/clusterRoleSelectors/0/matchLabels");
    String key = label.fieldNames().next();
    return roles.stream()
        .filter(role -> role.at("/metadata/labels").path(key).equals(label.path(key)));
  }

  private static boolean allows(ObjectNode role, String verb, String group, String resource) {
    return role.path("rules")
        .valueStream()
        .anyMatch(
            rule ->
                rule.at("/apiGroups/0").asText().equals(group)
                    && rule.at("/resources/0").asText().equals(resource)
                    && rule.path("verbs").valueStream().anyMatch(it -> it.asText().equals(verb)));
  }

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void eachKindHasAnEditorAndAViewer(ApiKind kind) {
    String name = "kueue-" + kind.kind().toLowerCase(Locale.ROOT);
    ObjectNode editor = role(name + "-editor-role");
    ObjectNode viewer = role(name + "-viewer-role");

    assertThat(allows(editor, "update", ApiVersion.GROUP, kind.plural())).isTrue();
    assertThat(allows(viewer, "watch", ApiVersion.GROUP, kind.plural())).isTrue();
    assertThat(allows(viewer, "update", ApiVersion.GROUP, kind.plural())).isFalse();
    assertThat(allows(editor, "get", ApiVersion.GROUP, kind.plural() + "/status")).isTrue();
    assertThat(allows(editor, "update", ApiVersion.GROUP, kind.plural() + "/status")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "kueue-batch-admin-role, update, kueue.x-k8s.io, clusterqueues,   true",
    "kueue-batch-admin-role, update, kueue.x-k8s.io, resourceflavors, true",
    "kueue-batch-admin-role, create, batch,          jobs,            true",
    "kueue-batch-user-role,  create, batch,          jobs,            true",
    "kueue-batch-user-role,  create, ray.io,         rayjobs,         true",
    "kueue-batch-user-role,  list,   kueue.x-k8s.io, workloads,       true",
    "kueue-batch-user-role,  list,   kueue.x-k8s.io, localqueues,     true",
    "kueue-batch-user-role,  update, kueue.x-k8s.io, workloads,       false",
    "kueue-batch-user-role,  update, kueue.x-k8s.io, localqueues,     false",
    "kueue-batch-user-role,  list,   kueue.x-k8s.io, clusterqueues,   false",
    "kueue-batch-user-role,  list,   kueue.x-k8s.io, cohorts,         false",
    "kueue-batch-user-role,  list,   kueue.x-k8s.io, topologies,      false",
    "kueue-batch-admin-role, get, visibility.kueue.x-k8s.io, clusterqueues/pendingworkloads, true",
    "kueue-batch-admin-role, get, visibility.kueue.x-k8s.io, localqueues/pendingworkloads, true",
    "kueue-batch-user-role, get, visibility.kueue.x-k8s.io, localqueues/pendingworkloads, true",
    "kueue-batch-user-role, get, visibility.kueue.x-k8s.io, clusterqueues/pendingworkloads, false",
    "kueue-batch-user-role, get, view.sluice.dev, workloads/explanation, true",
    "kueue-batch-user-role, get, view.sluice.dev, workloads/timeline, true",
    "kueue-batch-user-role, get, view.sluice.dev, localqueues/line, true",
    "kueue-batch-user-role, create, view.sluice.dev, simulations, true",
    "kueue-batch-user-role, get, view.sluice.dev, clusterqueues/line, false",
    "kueue-batch-user-role, get, view.sluice.dev, clusterqueues/holders, false",
    "kueue-batch-admin-role, get, view.sluice.dev, clusterqueues/holders, true",
    "kueue-batch-user-role, get, view.sluice.dev, clusterqueues/quotas, false",
    "kueue-batch-admin-role, get, view.sluice.dev, clusterqueues/quotas, true",
    "kueue-batch-user-role, get, view.sluice.dev, clusterqueues/usage, false",
    "kueue-batch-admin-role, get, view.sluice.dev, clusterqueues/usage, true",
    "kueue-batch-user-role, list, view.sluice.dev, standing, false",
    "kueue-batch-user-role, list, view.sluice.dev, inventory, false",
    "kueue-batch-user-role, list, view.sluice.dev, log, true",
    "kueue-batch-user-role, list, view.sluice.dev, clusterlog, false",
    "kueue-batch-admin-role, list, view.sluice.dev, clusterlog, true",
    "kueue-batch-user-role, get, view.sluice.dev, topologies/domains, false",
    "kueue-batch-admin-role, list, view.sluice.dev, inventory, true",
    "kueue-batch-admin-role, get, view.sluice.dev, topologies/domains, true",
    "kueue-batch-admin-role, get, view.sluice.dev, resourceflavors/domains, true",
    "kueue-batch-user-role, list, view.sluice.dev, history, false",
    "kueue-batch-user-role, get, view.sluice.dev, workloads/forecast, true",
    "kueue-batch-admin-role, list, view.sluice.dev, history, true",
    "kueue-batch-admin-role, list, view.sluice.dev, forecastscores, true",
    "kueue-batch-user-role, create, view.sluice.dev, clustersimulations, false",
    "kueue-batch-admin-role, get, view.sluice.dev, clusterqueues/line, true",
    "kueue-batch-admin-role, list, view.sluice.dev, standing, true",
    "kueue-batch-admin-role, create, view.sluice.dev, clustersimulations, true",
  })
  void administratorsEditAllAndUsersEditJobsAndSeeTheirQueues(
      String collection, String verb, String group, String resource, boolean allowed) {
    assertThat(collectedBy(collection).anyMatch(role -> allows(role, verb, group, resource)))
        .isEqualTo(allowed);
  }

  @Test
  void namesAreUniqueAndNobodyHasAnyOfThem() {
    assertThat(roles)
        .extracting(role -> role.at("/metadata/name").asText())
        .doesNotHaveDuplicates();
    assertThat(roles).allMatch(role -> role.path("kind").asText().equals("ClusterRole"));
  }
}
