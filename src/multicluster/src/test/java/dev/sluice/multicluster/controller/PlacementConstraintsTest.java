package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.jobs.plan.EmptyJobWorld;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.multicluster.protocol.PlacementConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Workloads of one LeaderWorkerSet of three replicas, which stay together. */
class PlacementConstraintsTest {
  private static final GroupKind SET = new GroupKind("leaderworkerset.x-k8s.io", "LeaderWorkerSet");
  private static final Configuration CONFIGURATION =
      ConfigurationReader.excerpt(
          Lookup.tree(
              "{'integrations': {'frameworks': ['leaderworkerset.x-k8s.io/leaderworkerset']}}"));

  private final Lookup objects = new Lookup();
  private final List<JsonNode> workloads = new ArrayList<>();
  private final Owners owners =
      new Owners(objects, JobSettings.of(CONFIGURATION, Extensions.DEFAULT));
  private final PlacementConstraints constraints =
      new PlacementConstraints(new OwnedWorkloads(workloads));

  /** A cluster of which Workloads are read, by owner, and nothing else. */
  private static final class OwnedWorkloads extends EmptyJobWorld {
    private final List<JsonNode> all;

    private OwnedWorkloads(List<JsonNode> all) {
      this.all = all;
    }

    @Override
    public List<JsonNode> workloadsOwnedBy(GroupKind kind, String namespace, String name) {
      return all;
    }
  }

  PlacementConstraintsTest() {
    objects.add(
        SET, "{'metadata': {'namespace': 'ns', 'name': 's', 'uid': 'u'}, 'spec': {'replicas': 3}}");
  }

  private ObjectNode add(int index) {
    ObjectNode workload =
        (ObjectNode)
            Lookup.tree(
                """
                {'metadata': {'namespace': 'ns', 'name': 'w-%d', 'annotations':
                  {'kueue.x-k8s.io/component-workload-index': '%d'}, 'ownerReferences': [{
                  'apiVersion': 'leaderworkerset.x-k8s.io/v1', 'kind': 'LeaderWorkerSet',
                  'name': 's', 'uid': 'u'}]}}
                """
                    .formatted(index, index));
    workloads.add(workload);
    return workload;
  }

  private PlacementConstraint of(JsonNode workload) {
    return constraints.of(workload, owners.of(workload));
  }

  @Test
  void theFirstWaitsUntilAllAreThere() {
    JsonNode first = add(0);
    assertThat(of(first)).isEqualTo(new PlacementConstraint.WaitFor("2 more workloads of its job"));

    add(1);
    add(2);

    assertThat(of(first)).isEqualTo(new PlacementConstraint.Unconstrained());
  }

  @Test
  void theOthersFollowTheFirst() {
    ObjectNode first = add(0);
    JsonNode second = add(1);
    assertThat(of(second)).isEqualTo(new PlacementConstraint.Follow(""));

    first.putObject("status").put("clusterName", "a");

    assertThat(of(second)).isEqualTo(new PlacementConstraint.Follow("a"));
  }

  @Test
  void allAreReadyWithTheFirstWhichStandsForTheSetOnAWorker() {
    JsonNode first = add(0);
    JsonNode second = add(1);

    assertThat(constraints.thatRunAs(first, owners.of(first))).containsExactly(first, second);
    assertThat(constraints.thatRunAs(second, owners.of(second))).isEmpty();
  }

  @Test
  void aFirstOneThatGoesLeadsNobody() {
    ObjectNode first = add(0);
    first.putObject("status").put("clusterName", "a");
    first.withObject("/metadata").put("deletionTimestamp", "2026-11-24T09:00:00Z");

    assertThat(of(add(1))).isEqualTo(new PlacementConstraint.Follow(""));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "it is new, true",
    "it is gone, true",
    "it has a cluster, true",
    "it has finished, true",
    "it is being deleted, true",
    "its message changes, false",
  })
  void theOthersAreLookedAtWhenWhatTheyReadOfItChanges(String what, boolean isLookedAt) {
    ObjectNode before = add(0);
    add(1);
    ObjectNode after = before.deepCopy();
    switch (what) {
      case "it has a cluster" -> after.withObject("/status").put("clusterName", "a");
      case "it has finished" ->
          after
              .withObject("/status")
              .putArray("conditions")
              .addObject()
              .put("type", "Finished")
              .put("status", "True");
      case "it is being deleted" ->
          after.withObject("/metadata").put("deletionTimestamp", "2026-11-24T12:00:00Z");
      case "its message changes" ->
          after.withObject("/status").putArray("admissionChecks").addObject().put("message", "m");
      default -> {}
    }
    ObjectChange change =
        new ObjectChange(
            what.equals("it is new") ? Optional.empty() : Optional.of(before),
            what.equals("it is gone") ? Optional.empty() : Optional.of(after));

    assertThat(constraints.concernedBy(change).isEmpty()).isEqualTo(!isLookedAt);
  }
}
