package dev.sluice.jobs.pod;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectChange;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodNewsTest {
  private static ObjectNode pod() {
    return json(
        """
        {'metadata': {'name': 'p', 'namespace': 'ns', 'uid': 'u', 'resourceVersion': '7',
           'labels': {'app': 'a'}},
         'spec': {'schedulingGates': [{'name': 'x'}], 'containers': [{'name': 'c'}]},
         'status': {'phase': 'Pending', 'conditions': [{'type': 'Ready', 'status': 'False'}]}}
        """);
  }

  /** Sets these fields of metadata, spec and status. */
  private static void merge(ObjectNode pod, ObjectNode changed) {
    changed
        .properties()
        .forEach(
            part -> ((ObjectNode) pod.path(part.getKey())).setAll((ObjectNode) part.getValue()));
  }

  private static boolean isNews(Consumer<ObjectNode> change) {
    ObjectNode after = pod();
    change.accept(after);
    return PodNews.isNews(new ObjectChange(Optional.of(pod()), Optional.of(after)));
  }

  /** As a scheduler and a kubelet write it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata': {'resourceVersion': '8', 'generation': 2}}",
        "{'spec': {'nodeName': 'machine'}}",
        "{'status': {'podIP': '10.0.0.1', 'startTime': '2026-01-01T00:00:00Z'}}",
        "{'status': {'conditions': [{'type': 'PodScheduled', 'status': 'True'},"
            + " {'type': 'Ready', 'status': 'False', 'reason': 'ContainersNotReady'}]}}",
        "{'status': {'containerStatuses': [{'name': 'c', 'ready': false}]}}",
      })
  void isNoneIfNothingChangedThatAPlanReads(String changed) {
    assertThat(isNews(it -> merge(it, json(changed)))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata': {'labels': {'app': 'b'}}}",
        "{'metadata': {'annotations': {'a': 'b'}}}",
        "{'metadata': {'deletionTimestamp': '2026-01-01T00:00:00Z'}}",
        "{'metadata': {'finalizers': ['f']}}",
        "{'metadata': {'uid': 'another'}}",
        "{'spec': {'schedulingGates': []}}",
        "{'spec': {'nodeSelector': {'a': 'b'}}}",
        "{'status': {'phase': 'Running'}}",
        "{'status': {'message': 'out of memory'}}",
        "{'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}}",
        "{'status': {'conditions': [{'type': 'TerminationTarget', 'status': 'True'}]}}",
        "{'status': {'conditions': [{'type': 'DisruptionTarget', 'status': 'True'}]}}",
      })
  void isOneIfAPlanReadsWhatChanged(String changed) {
    assertThat(isNews(it -> merge(it, json(changed)))).isTrue();
  }

  @Test
  void isOneIfAFieldIsGone() {
    assertThat(isNews(it -> it.withObject("/spec").remove("schedulingGates"))).isTrue();
    assertThat(isNews(it -> it.withObject("/metadata").remove("labels"))).isTrue();
  }

  @Test
  void isOneIfThePodIsNewOrGone() {
    assertThat(PodNews.isNews(new ObjectChange(Optional.empty(), Optional.of(pod())))).isTrue();
    assertThat(PodNews.isNews(new ObjectChange(Optional.of(pod()), Optional.empty()))).isTrue();
  }
}
