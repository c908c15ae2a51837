package dev.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.DeviceSource;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.manifests.Manifests;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KindsTest {
  /** What is read where every kind of jobs is on. */
  private static final Set<GroupVersionKind> JOBS =
      JobKinds.standard().stream()
          .filter(it -> !(it.life() instanceof JobLife.ByItsPods))
          .flatMap(it -> Stream.concat(Stream.of(it.kind()), it.reads().stream()))
          .collect(Collectors.toUnmodifiableSet());

  private static final EngineConfiguration COUNTING =
      EngineConfiguration.defaults()
          .withResources(
              new Resources(
                  List.of(),
                  false,
                  List.of(),
                  List.of(new DeviceClassMapping("gpu", List.of("a")))));

  private static final EngineConfiguration BY_SOURCES =
      EngineConfiguration.defaults()
          .withResources(
              new Resources(
                  List.of(),
                  false,
                  List.of(),
                  List.of(
                      new DeviceClassMapping(
                          "gpu",
                          List.of("a"),
                          List.of(
                              new DeviceSource(
                                  DeviceSource.Type.COUNTER,
                                  "memory",
                                  "gpu.example.com",
                                  Optional.empty()))))));

  private static final EngineConfiguration NOT_PLACING =
      EngineConfiguration.defaults()
          .withGates(FeatureGates.DEFAULT.with(FeatureGate.TOPOLOGY_AWARE_SCHEDULING, false));

  private static final EngineConfiguration RECOVERING =
      NOT_PLACING.withGates(NOT_PLACING.gates().with(FeatureGate.FAILURE_RECOVERY_POLICY, true));

  @Test
  void theRoleOfTheSchedulerCoversAllThatItWatches() {
    assertThat(Kinds.watched(JOBS, Set.of(), true, COUNTING))
        .hasSizeGreaterThan(30)
        .extracting(KindsTest::resource)
        .isSubsetOf(allowed("list", "watch"));
  }

  @Test
  void theRoleOfTheSchedulerCoversWhatItWritesToJobs() {
    List<String> written =
        JobKinds.standard().stream()
            .filter(it -> it.life() instanceof JobLife.OneWorkload)
            .map(it -> Framework.find(it.admission().framework()).orElseThrow())
            .map(it -> it.type().group() + "/" + it.plural())
            .toList();

    assertThat(written).contains("kubeflow.org/mpijobs").isSubsetOf(allowed("patch", "delete"));
    assertThat(written).map(it -> it + "/finalizers").isSubsetOf(allowed("update"));
  }

  /** The resources for which the scheduler has these rights. */
  private static Set<String> allowed(String... verbs) {
    Set<String> allowed = new HashSet<>();
    JsonNode role =
        new Manifests()
            .schedulerRbac().stream()
                .filter(it -> it.path("kind").asText().equals("ClusterRole"))
                .findFirst()
                .orElseThrow();
    for (JsonNode rule : role.path("rules")) {
      if (texts(rule.path("verbs")).containsAll(List.of(verbs))) {
        texts(rule.path("resources"))
            .forEach(it -> allowed.add(rule.at("/apiGroups/0").asText() + "/" + it));
      }
    }
    return allowed;
  }

  @Test
  void nodesAndPodsAreWatchedWherePodsArePlaced() {
    Set<GroupVersionKind> onlyJobs = Set.of(Framework.JOB.type());

    assertThat(Kinds.watched(onlyJobs, Set.of(), false, EngineConfiguration.defaults()))
        .extracting(KindsTest::resource)
        .contains("/nodes", "/pods");
    assertThat(Kinds.watched(Set.of(), Set.of(), false, NOT_PLACING))
        .extracting(KindsTest::resource)
        .doesNotContain("/nodes", "/pods");
    assertThat(Kinds.watched(onlyJobs, Set.of(), true, NOT_PLACING))
        .as("the pods of jobs that may grow")
        .extracting(KindsTest::resource)
        .contains("/pods")
        .doesNotContain("/nodes");
    assertThat(Kinds.watched(Set.of(), Set.of(), false, RECOVERING))
        .as("those that may go by force, and their nodes")
        .extracting(KindsTest::resource)
        .contains("/nodes", "/pods");
  }

  @Test
  void ofKindsThatAreOffOnlyMetadataAreWatched() {
    List<WatchedKind> kinds =
        Kinds.watched(
            Set.of(Framework.JOB.type()),
            Set.of(Framework.JOB.type(), Framework.JOB_SET.type()),
            false,
            EngineConfiguration.defaults());

    assertThat(kinds)
        .filteredOn(it -> it.type().kind().startsWith("Job"))
        .extracting(WatchedKind::type, WatchedKind::metadataOnly)
        .containsExactly(tuple(Framework.JOB.type(), false), tuple(Framework.JOB_SET.type(), true));
  }

  @Test
  void devicesAreWatchedWhereTheyAreCounted() {
    EngineConfiguration withoutServed =
        COUNTING.withGates(
            FeatureGates.DEFAULT.with(FeatureGate.KUEUE_DRA_INTEGRATION_EXTENDED_RESOURCE, false));
    EngineConfiguration off =
        COUNTING.withGates(FeatureGates.DEFAULT.with(FeatureGate.KUEUE_DRA_INTEGRATION, false));

    assertThat(ofDevices(COUNTING)).containsExactly("resourceclaimtemplates", "deviceclasses");
    assertThat(ofDevices(withoutServed)).containsExactly("resourceclaimtemplates");
    assertThat(ofDevices(off)).isEmpty();
    assertThat(ofDevices(BY_SOURCES))
        .containsExactly("resourceclaimtemplates", "deviceclasses", "resourceslices");
    assertThat(
            ofDevices(
                BY_SOURCES.withGates(
                    FeatureGates.DEFAULT.with(
                        FeatureGate.KUEUE_DRA_INTEGRATION_EXTENDED_RESOURCE, false))))
        .containsExactly("resourceclaimtemplates", "deviceclasses", "resourceslices");
    assertThat(ofDevices(EngineConfiguration.defaults())).isEmpty();
  }

  @Test
  void slicesOfOneDriverAreSelectedByTheApiServer() {
    assertThat(Kinds.watched(JOBS, Set.of(), false, BY_SOURCES))
        .filteredOn(kind -> kind.kind().equals(Kinds.RESOURCE_SLICE))
        .extracting(kind -> kind.selection().fields())
        .containsExactly("spec.driver=gpu.example.com");
  }

  private static List<String> ofDevices(EngineConfiguration configuration) {
    return Kinds.watched(JOBS, Set.of(), false, configuration).stream()
        .filter(kind -> kind.type().group().equals("resource.k8s.io"))
        .map(kind -> kind.plural().orElseThrow())
        .toList();
  }

  private static String resource(WatchedKind kind) {
    String plural = kind.type().kind().toLowerCase(Locale.ROOT) + "s";
    return kind.type().group() + "/" + kind.plural().orElse(plural);
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).toList();
  }
}
