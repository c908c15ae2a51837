package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.multicluster.protocol.Company;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The Workloads of one LeaderWorkerSet of three replicas, which stay together. */
class CompaniesTest {
  private static final GroupKind SET = new GroupKind("leaderworkerset.x-k8s.io", "LeaderWorkerSet");
  private static final Configuration CONFIGURATION =
      ConfigurationReader.excerpt(
          Lookup.tree(
              "{'integrations': {'frameworks': ['leaderworkerset.x-k8s.io/leaderworkerset']}}"));

  private final Lookup objects = new Lookup();
  private final List<JsonNode> workloads = new ArrayList<>();
  private final Owners owners =
      new Owners(objects, JobSettings.of(CONFIGURATION, Extensions.DEFAULT));
  private final Companies companies = new Companies(new OwnedWorkloads(workloads));

  /** A cluster of which Workloads are read, by owner, and nothing else. */
  private record OwnedWorkloads(List<JsonNode> all) implements JobWorld {
    @Override
    public List<JsonNode> workloadsOwnedBy(GroupKind kind, String namespace, String name) {
      return all;
    }

    @Override
    public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
      return Optional.empty();
    }

    @Override
    public boolean watches(GroupKind kind) {
      return false;
    }

    @Override
    public boolean knows(GroupKind kind) {
      return false;
    }

    @Override
    public List<JsonNode> list(GroupKind kind) {
      return List.of();
    }

    @Override
    public List<JsonNode> controlledBy(GroupKind kind, String namespace, String ownerUid) {
      return List.of();
    }

    @Override
    public List<JsonNode> podsOfGroup(String namespace, String group) {
      return List.of();
    }
  }

  CompaniesTest() {
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

  private Company of(JsonNode workload) {
    return companies.of(workload, owners.of(workload));
  }

  @Test
  void theFirstWaitsUntilAllAreThere() {
    JsonNode first = add(0);
    assertThat(of(first)).isEqualTo(new Company.WaitFor("2 more workloads of its job"));

    add(1);
    add(2);

    assertThat(of(first)).isEqualTo(new Company.Alone());
  }

  @Test
  void theOthersFollowTheFirst() {
    ObjectNode first = add(0);
    JsonNode second = add(1);
    assertThat(of(second)).isEqualTo(new Company.Follow(""));

    first.putObject("status").put("clusterName", "a");

    assertThat(of(second)).isEqualTo(new Company.Follow("a"));
  }

  @Test
  void aFirstOneThatGoesLeadsNobody() {
    ObjectNode first = add(0);
    first.putObject("status").put("clusterName", "a");
    first.withObject("/metadata").put("deletionTimestamp", "2026-11-24T09:00:00Z");

    assertThat(of(add(1))).isEqualTo(new Company.Follow(""));
  }
}
