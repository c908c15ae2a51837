package dev.sluice.cli.multikueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.ObjectPath;
import dev.sluice.jobs.plan.JobSettings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rights of a manager on a worker. That they suffice is proved by MultiKueueE2E. */
class WorkerAccountTest {
  private static final CustomKind TRAIN =
      new CustomKind(
          new GroupVersionKind("rail.example", "v1", "Train"),
          "trains",
          ObjectPath.parse("spec.suspend"),
          List.of(),
          ObjectPath.parse("spec.managedBy"));

  private static JobSettings settings(CustomKind... custom) {
    JobSettings plain = JobSettings.of(Configuration.defaults("kueue-system"), Extensions.DEFAULT);
    return new JobSettings(
        plain.management(), plain.gates(), false, Optional.empty(), List.of(custom));
  }

  private static ObjectNode role(List<ObjectNode> documents) {
    return documents.stream()
        .filter(it -> it.path("kind").asText().equals("ClusterRole"))
        .findFirst()
        .orElseThrow();
  }

  private static boolean allows(ObjectNode role, String verb, String group, String resource) {
    return role.path("rules")
        .valueStream()
        .anyMatch(
            rule ->
                has(rule.path("apiGroups"), group)
                    && has(rule.path("resources"), resource)
                    && has(rule.path("verbs"), verb));
  }

  private static boolean has(JsonNode list, String text) {
    return list.valueStream().anyMatch(it -> it.asText().equals(text));
  }

  @ParameterizedTest
  @CsvSource({
    "create, batch,                  jobs,             true",
    "delete, batch,                  jobs,             true",
    "patch,  batch,                  jobs,             true",
    "create, jobset.x-k8s.io,        jobsets,          true",
    "create, kubeflow.org,           pytorchjobs,      true",
    "create, ray.io,                 rayjobs,          true",
    "patch,  ray.io,                 rayjobs,          false",
    "patch,  ray.io,                 rayservices,      true",
    "create, apps,                   statefulsets,     true",
    "create, apps,                   deployments,      false",
    "create, sparkoperator.k8s.io,   sparkapplications, false",
    "create, kueue.x-k8s.io,         workloads,        true",
    "patch,  kueue.x-k8s.io,         workloads/status, true",
    "list,   kueue.x-k8s.io,         localqueues,      false",
    "get,    '',                     namespaces,       true",
    "list,   '',                     namespaces,       false",
    "get,    '',                     secrets,          false",
    "create, '',                     pods,             true",
    "patch,  '',                     pods,             false",
  })
  void aManagerMayMakeAndRemoveWorkloadsAndJobsAndNothingElse(
      String verb, String group, String resource, boolean allowed) {
    assertThat(allows(role(WorkerAccount.documents(settings())), verb, group, resource))
        .isEqualTo(allowed);
  }

  @Test
  void ofNamespacesOnlyTheOneThatTellsTheIdentityOfTheClusterIsRead() {
    JsonNode rule =
        role(WorkerAccount.documents(settings()))
            .path("rules")
            .valueStream()
            .filter(it -> has(it.path("resources"), "namespaces"))
            .findFirst()
            .orElseThrow();

    assertThat(rule.path("resourceNames").valueStream().map(JsonNode::asText))
        .containsExactly("kube-system");
  }

  private static List<ObjectNode> named(List<ObjectNode> documents, String kind, String name) {
    return documents.stream()
        .filter(it -> it.path("kind").asText().equals(kind))
        .filter(it -> it.at("/metadata/name").asText().equals(name))
        .toList();
  }

  @Test
  void whatAManagerCanDoWithoutIsInARoleOfItsOwnThatSaysSo() {
    ObjectNode queues =
        named(WorkerAccount.documents(settings()), "ClusterRole", "sluice-manager-queues")
            .getFirst();

    assertThat(queues.at("/metadata/annotations/sluice.dev~1optional").asText())
        .contains("why a Workload waits");
    for (String resource : List.of("localqueues", "clusterqueues")) {
      assertThat(allows(queues, "watch", "kueue.x-k8s.io", resource)).isTrue();
      assertThat(allows(queues, "patch", "kueue.x-k8s.io", resource)).isFalse();
    }
    assertThat(allows(queues, "list", "", "namespaces")).isTrue();
  }

  @Test
  void aManagerOfSomeNamespacesWritesInNoOther() {
    List<ObjectNode> documents =
        WorkerAccount.documents(settings(), new TreeSet<>(Set.of("one", "two")));
    ObjectNode everywhere = named(documents, "ClusterRole", "sluice-manager").getFirst();
    List<ObjectNode> there = named(documents, "Role", "sluice-manager");

    assertThat(allows(everywhere, "watch", "batch", "jobs")).isTrue();
    for (String verb : List.of("create", "patch", "delete")) {
      assertThat(allows(everywhere, verb, "batch", "jobs")).isFalse();
      assertThat(allows(everywhere, verb, "kueue.x-k8s.io", "workloads")).isFalse();
    }
    assertThat(there)
        .extracting(it -> it.at("/metadata/namespace").asText())
        .containsExactly("one", "two");
    assertThat(there)
        .allMatch(
            it ->
                allows(it, "create", "batch", "jobs")
                    && allows(it, "delete", "kueue.x-k8s.io", "workloads")
                    && allows(it, "patch", "kueue.x-k8s.io", "workloads/status"));
    assertThat(named(documents, "RoleBinding", "sluice-manager"))
        .extracting(it -> it.at("/roleRef/kind").asText())
        .containsExactly("Role", "Role");
  }

  @Test
  void aCustomKindThatCanBeSentIsAmongThem() {
    assertThat(WorkerAccount.kinds(settings(TRAIN))).contains(TRAIN.type());
    assertThat(
            allows(
                role(WorkerAccount.documents(settings(TRAIN))), "create", "rail.example", "trains"))
        .isTrue();
  }
}
