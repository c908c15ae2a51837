package dev.sluice.jobs.workload;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectChange;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadNewsTest {
  /** One that is admitted. */
  private static ObjectNode workload() {
    return json(
        """
        {'metadata': {'name': 'w', 'namespace': 'ns', 'uid': 'u', 'resourceVersion': '7'},
         'spec': {'active': true},
         'status': {
           'admission': {'clusterQueue': 'cq'},
           'conditions': [{'type': 'QuotaReserved', 'status': 'True'},
             {'type': 'Admitted', 'status': 'True'}]}}
        """);
  }

  private static ObjectNode with(ObjectNode workload, String condition) {
    workload.withObject("/status").withArray("conditions").add(json(condition));
    return workload;
  }

  private static ObjectNode finished() {
    return with(workload(), "{'type': 'Finished', 'status': 'True'}");
  }

  /** Sets these fields of metadata, spec and status. */
  private static ObjectNode changed(ObjectNode workload, String fields) {
    json(fields)
        .properties()
        .forEach(
            part -> workload.withObject("/" + part.getKey()).setAll((ObjectNode) part.getValue()));
    return workload;
  }

  private static ObjectChange change(JsonNode before, JsonNode after) {
    return new ObjectChange(Optional.of(before), Optional.of(after));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata': {'resourceVersion': '8', 'generation': 2}}",
        "{'status': {'reclaimablePods': [{'name': 'main', 'count': 1}]}}",
      })
  void aChangeThatOnlyCountsPodsIsNotUrgent(String fields) {
    ObjectChange change = change(workload(), changed(workload(), fields));

    assertThat(WorkloadNews.isUrgent(change)).isFalse();
    assertThat(WorkloadNews.concernsChildren(change)).isFalse();
  }

  @Test
  void readinessIsNotUrgent() {
    ObjectNode ready = with(workload(), "{'type': 'PodsReady', 'status': 'True'}");
    ObjectNode again = with(workload(), "{'type': 'PodsReady', 'status': 'False'}");

    assertThat(WorkloadNews.isUrgent(change(workload(), ready))).isFalse();
    assertThat(WorkloadNews.isUrgent(change(ready, again))).isFalse();
    assertThat(WorkloadNews.concernsChildren(change(workload(), ready))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata': {'annotations': {'a': 'b'}}}",
        "{'metadata': {'deletionTimestamp': '2026-01-01T00:00:00Z'}}",
        "{'metadata': {'ownerReferences': [{'name': 'j'}]}}",
        "{'metadata': {'uid': 'another'}}",
        "{'spec': {'active': false}}",
        "{'spec': {'queueName': 'other'}}",
        "{'status': {'admission': {'clusterQueue': 'other'}}}",
        "{'status': {'admissionChecks': [{'name': 'c', 'state': 'Ready'}]}}",
        "{'status': {'conditions': [{'type': 'QuotaReserved', 'status': 'True'}]}}",
        "{'status': {'conditions': [{'type': 'QuotaReserved', 'status': 'True'},"
            + " {'type': 'Admitted', 'status': 'True', 'reason': 'Other'}]}}",
      })
  void whatMayStartOrStopAJobIsUrgent(String fields) {
    ObjectChange change = change(workload(), changed(workload(), fields));

    assertThat(WorkloadNews.isUrgent(change)).isTrue();
    assertThat(WorkloadNews.concernsChildren(change)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Evicted", "Finished", "Preempted", "WaitingForReplacementPods"})
  void anotherConditionIsUrgent(String type) {
    ObjectNode after = with(workload(), "{'type': '" + type + "', 'status': 'True'}");

    assertThat(WorkloadNews.isUrgent(change(workload(), after))).isTrue();
    assertThat(WorkloadNews.isUrgent(change(after, workload()))).isTrue();
  }

  @Test
  void ofAFinishedOneOnlyItsDeletionIsUrgent() {
    ObjectNode released = changed(finished(), "{'metadata': {'finalizers': []}}");
    ObjectNode deleted =
        changed(finished(), "{'metadata': {'deletionTimestamp': '2026-01-01T00:00:00Z'}}");

    assertThat(WorkloadNews.isUrgent(change(finished(), released))).isFalse();
    assertThat(WorkloadNews.isUrgent(change(finished(), deleted))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata': {'deletionTimestamp': '2026-01-01T00:00:00Z'}}",
        "{'metadata': {'finalizers': ['kueue.x-k8s.io/resource-in-use']}}",
        "{'metadata': {'labels': {'a': 'b'}}}",
        "{'spec': {'active': false}}",
        "{'status': {'admissionChecks': []}}",
      })
  void ofAFinishedOneAllButTheLossOfItsFinalizerIsNews(String fields) {
    assertThat(WorkloadNews.isNews(change(finished(), changed(finished(), fields)))).isTrue();
  }

  @Test
  void aFinishedOneThatLosesItsFinalizerIsNoNews() {
    ObjectNode held =
        changed(finished(), "{'metadata': {'finalizers': ['kueue.x-k8s.io/resource-in-use']}}");
    ObjectNode running =
        changed(workload(), "{'metadata': {'finalizers': ['kueue.x-k8s.io/resource-in-use']}}");

    assertThat(WorkloadNews.isNews(change(held, finished()))).isFalse();
    assertThat(WorkloadNews.isNews(change(running, workload()))).isTrue();
    assertThat(WorkloadNews.isNews(new ObjectChange(Optional.of(held), Optional.empty()))).isTrue();
    assertThat(WorkloadNews.isNews(new ObjectChange(Optional.empty(), Optional.of(held)))).isTrue();
  }

  @Test
  void aNewOneIsUrgentIfItIsAdmitted() {
    ObjectNode waiting = json("{'metadata': {'name': 'w'}, 'spec': {}}");
    ObjectChange admitted = new ObjectChange(Optional.empty(), Optional.of(workload()));
    ObjectChange made = new ObjectChange(Optional.empty(), Optional.of(waiting));

    assertThat(WorkloadNews.isUrgent(admitted)).isTrue();
    assertThat(WorkloadNews.isUrgent(made)).isFalse();
    assertThat(WorkloadNews.concernsChildren(made)).as("of an elastic job").isTrue();
  }

  @Test
  void thatItIsGoneIsUrgent() {
    assertThat(WorkloadNews.isUrgent(new ObjectChange(Optional.of(workload()), Optional.empty())))
        .isTrue();
  }
}
