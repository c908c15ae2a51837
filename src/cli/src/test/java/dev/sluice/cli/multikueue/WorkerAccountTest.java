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
    "get,    kueue.x-k8s.io,         localqueues,      true",
    "list,   kueue.x-k8s.io,         localqueues,      false",
    "list,   kueue.x-k8s.io,         clusterqueues,    false",
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

  @Test
  void aCustomKindThatCanBeSentIsAmongThem() {
    assertThat(WorkerAccount.kinds(settings(TRAIN))).contains(TRAIN.type());
    assertThat(
            allows(
                role(WorkerAccount.documents(settings(TRAIN))), "create", "rail.example", "trains"))
        .isTrue();
  }
}
