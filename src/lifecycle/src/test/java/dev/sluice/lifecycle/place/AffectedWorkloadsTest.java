package dev.sluice.lifecycle.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.jobs.plan.JobKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose pods are looked at after a change. */
class AffectedWorkloadsTest {
  private static final ObjectMapper YAML = new YAMLMapper();

  private final AffectedWorkloads affected = new AffectedWorkloads();

  private static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode slice(String name, String first) {
    return yaml(
        """
        metadata: {name: %s, namespace: team, annotations: {kueue.x-k8s.io/workload-slice-name: %s}}
        spec: {podSets: []}
        """
            .formatted(name, first));
  }

  private List<ObjectKey> comes(JsonNode workload) {
    return affected.by(
        ApiKind.WORKLOAD.groupKind(), new ObjectChange(Optional.empty(), Optional.of(workload)));
  }

  private List<ObjectKey> goes(JsonNode workload) {
    return affected.by(
        ApiKind.WORKLOAD.groupKind(), new ObjectChange(Optional.of(workload), Optional.empty()));
  }

  private List<ObjectKey> ends(JsonNode pod) {
    return affected.by(JobKey.POD, new ObjectChange(Optional.of(pod), Optional.empty()));
  }

  private static ObjectKey key(String name) {
    return new ObjectKey("team", name);
  }

  @Test
  void aPodOfAnElasticJobThatIsGoneMakesRoomWhicheverSliceIsTheNewest() {
    comes(slice("one", "one"));
    comes(slice("two", "one"));
    comes(slice("other", "other"));

    assertThat(
            ends(
                yaml(
                    """
                    metadata: {name: p, namespace: team, annotations: {kueue.x-k8s.io/workload-slice-name: one}}
                    spec: {}
                    status: {phase: Running}
                    """)))
        .containsExactlyInAnyOrder(key("one"), key("two"));
  }

  @Test
  void aSliceThatIsGoneIsNotLookedAtAnyMore() {
    comes(slice("one", "one"));
    comes(slice("two", "one"));
    goes(slice("one", "one"));

    assertThat(affected.chain(key("one"))).containsExactly(key("two"));
  }

  private static JsonNode placed(String name) {
    return yaml(
        """
        metadata: {name: %s, namespace: team}
        status: {admission: {podSetAssignments: [{name: main, topologyAssignment: {}}]}}
        """
            .formatted(name));
  }

  private static JsonNode pod() {
    return yaml(
        """
        metadata: {name: p, namespace: team, labels: {kueue.x-k8s.io/podset: main}, annotations: {kueue.x-k8s.io/workload: w}}
        """);
  }

  @Test
  void aPodConcernsTheWorkloadItNamesAsLongAsThatSaysWhereItsPodsAre() {
    assertThat(ends(pod())).isEmpty();

    comes(placed("w"));
    assertThat(ends(pod())).containsExactly(key("w"));

    comes(yaml("metadata: {name: w, namespace: team}"));
    assertThat(ends(pod())).isEmpty();
  }

  @Test
  void aPodConcernsNoWorkloadThatIsGone() {
    comes(placed("w"));
    goes(placed("w"));

    assertThat(ends(pod())).isEmpty();
  }

  @Test
  void aPodOfNobodyConcernsNobody() {
    assertThat(ends(yaml("metadata: {name: p, namespace: team}"))).isEmpty();
  }

  @Test
  void aWorkloadConcernsItselfOnceItSaysWhereItsPodsAre() {
    JsonNode waits = yaml("metadata: {name: w, namespace: team}");

    assertThat(comes(waits)).isEmpty();
    assertThat(comes(placed("w"))).containsExactly(key("w"));
  }
}
