package dev.sluice.cluster.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.Reading;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.Workload;
import dev.sluice.json.tree.Keep;
import dev.sluice.json.tree.PrunedReader;
import dev.sluice.manifests.Manifests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchedKindsTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  private static List<WatchedKind> with(List<String> frameworks, String guard, String... external) {
    ObjectNode configuration =
        MAPPER
            .createObjectNode()
            .put("apiVersion", "config.kueue.x-k8s.io/v1beta2")
            .put("kind", "Configuration");
    ObjectNode integrations = configuration.putObject("integrations");
    frameworks.forEach(integrations.putArray("frameworks")::add);
    List.of(external).forEach(integrations.putArray("externalFrameworks")::add);
    configuration.putObject("featureGates").put("SparkApplicationIntegration", true);
    ObjectNode extensions =
        MAPPER
            .createObjectNode()
            .put("apiVersion", Extensions.API_VERSION)
            .put("kind", Extensions.KIND);
    extensions.putObject("podGuard").put("mode", guard);
    Reading reading = ConfigurationReader.in("n").read(List.of(configuration, extensions));
    Reading.Accepted accepted = (Reading.Accepted) reading;
    return WatchedKinds.of(accepted.configuration(), accepted.extensions());
  }

  private static List<String> names(List<WatchedKind> kinds) {
    return kinds.stream().map(kind -> kind.type().kind()).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "batch/job,   deny, Job JobSet Pod, ReplicaSet Deployment StatefulSet",
    "batch/job,   off,  Job JobSet,     Pod ReplicaSet",
    "pod,         off,  Pod ReplicaSet Deployment Job, Nothing",
    "statefulset, off,  Pod StatefulSet Workload,      Nothing",
    "deployment,  off,  Pod Deployment ReplicaSet,     Nothing"
  })
  void areThoseThatTheFrameworksNeed(String framework, String guard, String with, String without) {
    List<String> names = names(with(List.of(framework), guard));

    assertThat(names)
        .contains("Namespace", "LocalQueue", "ClusterQueue", "WorkloadPriorityClass", "Workload")
        .contains(with.strip().split(" "))
        .doesNotContain(without.strip().split(" "))
        .doesNotHaveDuplicates();
  }

  @Test
  void includeKindsOfOthersWhoseNameInUrlsIsAskedFor() {
    assertThat(with(List.of("batch/job"), "off", "Train.v1.rail.example"))
        .last()
        .satisfies(
            train -> {
              assertThat(train.kind().toString()).isEqualTo("Train.rail.example");
              assertThat(train.plural()).isEmpty();
            });
  }

  @Test
  void mayAllBeListedAndWatchedByTheAccountOfTheServer() {
    List<String> everything =
        Arrays.stream(Framework.values()).map(Framework::frameworkName).toList();
    JsonNode rules = new Manifests().viewRbac().getFirst().path("rules");

    assertThat(with(everything, "deny"))
        .hasSizeGreaterThan(30)
        .allSatisfy(
            kind ->
                assertThat(rules)
                    .as("%s", kind.type())
                    .anySatisfy(
                        rule -> {
                          assertThat(texts(rule.path("apiGroups"))).contains(kind.type().group());
                          assertThat(texts(rule.path("resources")))
                              .contains(kind.plural().orElseThrow());
                          assertThat(texts(rule.path("verbs"))).contains("list", "watch");
                        }));
    assertThat(rules)
        .allSatisfy(
            rule ->
                assertThat(texts(rule.path("verbs"))).isSubsetOf(List.of("get", "list", "watch")));
  }

  @Test
  void leaveOutSecretsAndConfigMaps() {
    assertThat(names(with(List.of("pod"), "deny"))).doesNotContain("Secret", "ConfigMap");
    assertThat(Configuration.defaults("n").jobs().frameworks()).containsExactly(Framework.JOB);
  }

  @Test
  void keepOfAWorkloadAllThatSaysWhatQuotaItHolds() throws IOException {
    WatchedKind kind =
        with(List.of("batch/job"), "off").stream()
            .filter(it -> it.kind().equals(ApiKind.WORKLOAD.groupKind()))
            .findFirst()
            .orElseThrow();
    JsonNode workload =
        MAPPER.readTree(
            """
            {"metadata":{"name":"w","namespace":"n","uid":"u","resourceVersion":"7"},
            "spec":{"queueName":"q","priority":5,"active":true,"podSets":[{"name":"main","count":2,
            "template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}]},
            "status":{"admission":{"clusterQueue":"a","podSetAssignments":[{"name":"main",
            "count":2,"flavors":{"cpu":"f"},"resourceUsage":{"cpu":"2"}}]},
            "reclaimablePods":[{"name":"main","count":1}],
            "conditions":[{"type":"QuotaReserved","status":"True","reason":"QuotaReserved",
            "message":"m","lastTransitionTime":"2026-01-01T12:00:00Z"}]}}\
            """);

    JsonParser parser = MAPPER.createParser(workload.toString());
    parser.nextToken();
    JsonNode kept = new PrunedReader().read(parser, kind.keep());

    Workload whole = HubObjects.read(Workload.class, workload);
    Workload read = HubObjects.read(Workload.class, kept);
    assertThat(read.status()).isEqualTo(whole.status());
    assertThat(read.metadata()).isEqualTo(whole.metadata());
    assertThat(read.spec().priority()).isEqualTo(5);
    assertThat(read.spec().podSets())
        .extracting(PodSet::name, PodSet::count)
        .containsExactly(tuple("main", 2));
    assertThat(kept.toString()).doesNotContain("containers");
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  @Test
  void oneObjectIsSelectedByItsName() {
    var one =
        new WatchedKind(
            new GroupVersionKind("", "v1", "ConfigMap"),
            Optional.of("configmaps"),
            Keep.ALL,
            false,
            WatchedKind.Selection.named("kube-system", "a-map"));

    assertThat(one.collection("configmaps")).isEqualTo("/api/v1/namespaces/kube-system/configmaps");
    assertThat(one.querySuffix()).isEqualTo("&fieldSelector=metadata.name%3Da-map");
  }
}
