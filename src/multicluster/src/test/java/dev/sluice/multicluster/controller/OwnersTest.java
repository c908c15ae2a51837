package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.ObjectPath;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.multicluster.protocol.Owner;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OwnersTest {
  private static final GroupKind JOB = new GroupKind("batch", "Job");
  private static final CustomKind TRAIN =
      new CustomKind(
          new GroupVersionKind("example.com", "v1", "Train"),
          "trains",
          Optional.of(new ObjectPath(List.of("spec", "hold"))),
          List.of(new ObjectPath(List.of("spec", "template"))),
          Optional.of(new ObjectPath(List.of("spec", "who"))));

  private final Lookup objects = new Lookup();

  private static JobSettings settings(boolean sendsCustomKinds) {
    Configuration enabling =
        ConfigurationReader.excerpt(
            Lookup.tree(
                """
                {'integrations': {'frameworks': ['batch/job', 'jobset.x-k8s.io/jobset',
                'kubeflow.org/mpijob', 'kubeflow.org/pytorchjob', 'ray.io/rayjob', 'ray.io/raycluster',
                'ray.io/rayservice', 'pod',
                'statefulset', 'leaderworkerset.x-k8s.io/leaderworkerset']}}\
                """));
    JobSettings plain = JobSettings.of(enabling, Extensions.DEFAULT);
    return new JobSettings(
        plain.management(),
        plain.gates().with(FeatureGate.MULTI_KUEUE_ADAPTERS_FOR_CUSTOM_JOBS, sendsCustomKinds),
        false,
        Optional.empty(),
        List.of(TRAIN),
        List.of(new GroupVersionKind("example.com", "v1", "Wagon")),
        List.of());
  }

  private Optional<Owner> of(JsonNode workload) {
    return new Owners(objects, settings(true)).of(workload);
  }

  private static JsonNode workload(String owners, String annotations) {
    return Lookup.tree(
        "{'metadata': {'namespace': 'ns', 'name': 'w', 'ownerReferences': [%s], 'annotations': {%s}}}"
            .formatted(owners, annotations));
  }

  private static String owner(String apiVersion, String kind, String uid, boolean controls) {
    return "{'apiVersion': '%s', 'kind': '%s', 'name': 'j', 'uid': '%s', 'controller': %s}"
        .formatted(apiVersion, kind, uid, controls);
  }

  @Test
  void aWorkloadWithoutOwnerHasNone() {
    assertThat(of(workload("", ""))).isEmpty();
  }

  @Test
  void theJobOfThatUidIsFound() {
    objects.add(JOB, "{'metadata': {'namespace': 'ns', 'name': 'j', 'uid': 'u'}}");

    assertThat(of(workload(owner("batch/v1", "Job", "u", true), "")).orElseThrow().jobs())
        .hasSize(1);
    assertThat(of(workload(owner("batch/v1", "Job", "earlier", true), "")).orElseThrow().jobs())
        .isEmpty();
  }

  @Test
  void theOwnerThatControlsCounts() {
    String owners =
        owner("v1", "ConfigMap", "c", false) + "," + owner("batch/v1", "Job", "u", true);

    assertThat(of(workload(owners, "")).orElseThrow().kind().kind()).isEqualTo("Job");
  }

  @ParameterizedTest
  @CsvSource({
    "batch/v1, Job, true",
    "jobset.x-k8s.io/v1alpha2, JobSet, true",
    "kubeflow.org/v2beta1, MPIJob, true",
    "kubeflow.org/v1, PyTorchJob, true",
    "ray.io/v1, RayJob, true",
    "v1, Pod, true",
    "apps/v1, StatefulSet, true",
    "sparkoperator.k8s.io/v1beta2, SparkApplication, false",
    "example.com/v1, Unknown, false"
  })
  void aKindGoesElsewhereIfItSaysHow(String apiVersion, String kind, boolean goes) {
    Owner owner = of(workload(owner(apiVersion, kind, "u", true), "")).orElseThrow();

    assertThat(owner.remote().isPresent()).isEqualTo(goes);
    assertThat(owner.refusal()).isEmpty();
  }

  private static String named(String apiVersion, String kind, String name) {
    return "{'apiVersion': '%s', 'kind': '%s', 'name': '%s', 'uid': '%s-uid'}"
        .formatted(apiVersion, kind, name, name);
  }

  private void addObject(String group, String kind, String name, String more) {
    objects.add(
        new GroupKind(group, kind),
        "{'metadata': {'namespace': 'ns', 'name': '%s', 'uid': '%s-uid' %s}}"
            .formatted(name, name, more));
  }

  @Test
  void aGroupHasItsMembersButThoseThatGo() {
    addObject("", "Pod", "b", "");
    addObject("", "Pod", "a", "");
    addObject("", "Pod", "c", ", 'deletionTimestamp': '2026-11-24T09:00:00Z'");
    String owners =
        String.join(",", named("v1", "Pod", "b"), named("v1", "Pod", "a"), named("v1", "Pod", "c"));

    assertThat(of(workload(owners, "")).orElseThrow().jobs())
        .extracting(it -> it.at("/metadata/name").asText())
        .containsExactly("a", "b");
  }

  @Test
  void whatMadeThePodsComesBeforeThem() {
    addObject("apps", "StatefulSet", "db", "");
    addObject("", "Pod", "db-0", "");
    String owners = named("v1", "Pod", "db-0") + "," + named("apps/v1", "StatefulSet", "db");

    Owner owner = of(workload(owners, "")).orElseThrow();

    assertThat(owner.kind().kind()).isEqualTo("StatefulSet");
    assertThat(owner.jobs()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true"})
  void theFirstWorkloadOfALeaderWorkerSetStandsForIt(int index, boolean isCarried) {
    addObject("leaderworkerset.x-k8s.io", "LeaderWorkerSet", "s", "");
    JsonNode workload =
        workload(
            named("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "s"),
            "'kueue.x-k8s.io/component-workload-index': '%d'".formatted(index));

    assertThat(of(workload).orElseThrow().isCarried()).isEqualTo(isCarried);
    assertThat(of(workload).orElseThrow().jobs()).hasSize(isCarried ? 0 : 1);
  }

  @ParameterizedTest
  @CsvSource({
    "batch/v1, Job, true",
    "ray.io/v1, RayCluster, true",
    "ray.io/v1, RayJob, false",
    "ray.io/v1, RayService, false"
  })
  void anElasticJobGoesElsewhereIfItsOwnFieldsSayItsSize(
      String apiVersion, String kind, boolean goes) {
    JsonNode elastic =
        workload(owner(apiVersion, kind, "u", true), "'kueue.x-k8s.io/workload-slice-name': 's'");

    assertThat(of(elastic).orElseThrow().refusal())
        .isEqualTo(
            goes
                ? Optional.empty()
                : Optional.of("elastic jobs of this kind do not go to other clusters"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Train", "Wagon"})
  void aKindThatOnlyAConfigurationKnowsIsRefusedWithItsGateOff(String kind) {
    JsonNode train = workload(owner("example.com/v1", kind, "u", true), "");

    assertThat(of(train).orElseThrow().refusal()).isEmpty();
    assertThat(of(train).orElseThrow().isExternal()).isTrue();
    assertThat(new Owners(objects, settings(false)).of(train).orElseThrow().refusal())
        .contains("MultiKueueAdaptersForCustomJobs feature gate is disabled");
  }
}
