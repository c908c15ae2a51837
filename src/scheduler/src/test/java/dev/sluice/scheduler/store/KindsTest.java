package dev.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.manifests.Manifests;
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
              Framework.JOB_SET.type()));

  @Test
  void theRoleOfTheSchedulerCoversAllThatItWatches() {
    Set<String> allowed = new HashSet<>();
    for (JsonNode rule : new Manifests().schedulerRbac().getFirst().path("rules")) {
      if (texts(rule.path("verbs")).containsAll(List.of("list", "watch"))) {
        texts(rule.path("resources"))
            .forEach(it -> allowed.add(rule.at("/apiGroups/0").asText() + "/" + it));
      }
    }

    assertThat(Kinds.watched(JOBS, true))
        .hasSizeGreaterThan(15)
        .extracting(KindsTest::resource)
        .isSubsetOf(allowed);
  }

  @Test
  void nodesAndPodsAreWatchedWherePodsArePlaced() {
    Set<GroupVersionKind> onlyJobs = Set.of(Framework.JOB.type());

    assertThat(Kinds.watched(onlyJobs, true))
        .extracting(KindsTest::resource)
        .contains("/nodes", "/pods");
    assertThat(Kinds.watched(onlyJobs, false))
        .extracting(KindsTest::resource)
        .doesNotContain("/nodes", "/pods");
  }

  private static String resource(WatchedKind kind) {
    String plural = kind.type().kind().toLowerCase(Locale.ROOT) + "s";
    return kind.type().group() + "/" + kind.plural().orElse(plural);
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).toList();
  }
}
