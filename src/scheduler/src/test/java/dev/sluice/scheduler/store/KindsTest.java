package dev.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.manifests.Manifests;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KindsTest {
  private static final Set<GroupVersionKind> JOBS =
      Set.copyOf(
          Arrays.asList(
              Framework.JOB.type(),
              Framework.POD.type(),
              Framework.STATEFUL_SET.type(),
              Framework.JOB_SET.type(),
              Framework.RAY_CLUSTER.type(),
              Framework.RAY_JOB.type(),
              Framework.RAY_SERVICE.type()));

  private static final EngineConfiguration COUNTING =
      EngineConfiguration.defaults()
          .withResources(
              new Resources(
                  List.of(),
                  false,
                  List.of(),
                  List.of(new DeviceClassMapping("gpu", List.of("a"), List.of()))));

  private static final EngineConfiguration NOT_PLACING =
      EngineConfiguration.defaults()
          .withGates(FeatureGates.DEFAULT.with(FeatureGate.TOPOLOGY_AWARE_SCHEDULING, false));

  private static final EngineConfiguration RECOVERING =
      NOT_PLACING.withGates(NOT_PLACING.gates().with(FeatureGate.FAILURE_RECOVERY_POLICY, true));

  @Test
  void theRoleOfTheSchedulerCoversAllThatItWatches() {
    Set<String> allowed = new HashSet<>();
    for (JsonNode rule : new Manifests().schedulerRbac().getFirst().path("rules")) {
      if (texts(rule.path("verbs")).containsAll(List.of("list", "watch"))) {
        texts(rule.path("resources"))
            .forEach(it -> allowed.add(rule.at("/apiGroups/0").asText() + "/" + it));
      }
    }

    assertThat(Kinds.watched(JOBS, true, COUNTING))
        .hasSizeGreaterThan(15)
        .extracting(KindsTest::resource)
        .isSubsetOf(allowed);
  }

  @Test
  void nodesAndPodsAreWatchedWherePodsArePlaced() {
    Set<GroupVersionKind> onlyJobs = Set.of(Framework.JOB.type());

    assertThat(Kinds.watched(onlyJobs, false, EngineConfiguration.defaults()))
        .extracting(KindsTest::resource)
        .contains("/nodes", "/pods");
    assertThat(Kinds.watched(Set.of(), false, NOT_PLACING))
        .extracting(KindsTest::resource)
        .doesNotContain("/nodes", "/pods");
    assertThat(Kinds.watched(onlyJobs, true, NOT_PLACING))
        .as("the pods of jobs that may grow")
        .extracting(KindsTest::resource)
        .contains("/pods")
        .doesNotContain("/nodes");
    assertThat(Kinds.watched(Set.of(), false, RECOVERING))
        .as("those that may go by force, and their nodes")
        .extracting(KindsTest::resource)
        .contains("/nodes", "/pods");
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
    assertThat(ofDevices(EngineConfiguration.defaults())).isEmpty();
  }

  private static List<String> ofDevices(EngineConfiguration configuration) {
    return Kinds.watched(JOBS, false, configuration).stream()
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
