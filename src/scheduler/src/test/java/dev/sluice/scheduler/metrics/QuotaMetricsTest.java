package dev.sluice.scheduler.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.world.ObjectKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QuotaMetricsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private static <T> T read(Class<T> type, String json) {
    try {
      return HubObjects.read(type, JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  @BeforeEach
  void aQueueBelowTwoCohorts() {
    engine.apply(
        new Change.FlavorIs(
            read(ResourceFlavor.class, "{\"metadata\":{\"name\":\"f\"},\"spec\":{}}")),
        T);
    engine.apply(
        new Change.CohortIs(
            read(
                Cohort.class,
                """
                {"metadata":{"name":"team"},"spec":{"parentName":"all"}}\
                """)),
        T);
    engine.apply(
        new Change.ClusterQueueIs(
            read(
                ClusterQueue.class,
                """
                {"metadata":{"name":"cq"},"spec":{"cohortName":"team","namespaceSelector":{},
                "resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"f","resources":[
                {"name":"cpu","nominalQuota":"4","borrowingLimit":"1500m"}]}]}]}}\
                """)),
        T);
    engine.apply(
        new Change.LocalQueueIs(
            read(
                LocalQueue.class,
                """
                {"metadata":{"name":"lq","namespace":"ns"},"spec":{"clusterQueue":"cq"}}\
                """)),
        T);
    engine.apply(new Change.WorkloadIs(workload("holds", HELD)), T);
    engine.apply(new Change.WorkloadIs(workload("waits", "")), T);
  }

  private static final String HELD =
      """
      "admission":{"clusterQueue":"cq","podSetAssignments":[{"name":"main","count":1,
      "flavors":{"cpu":"f"},"resourceUsage":{"cpu":"500m"}}]},"conditions":[
      {"type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"",
      "lastTransitionTime":"2026-11-21T11:00:00Z"}]\
      """;

  private static Workload workload(String name, String status) {
    return read(
        Workload.class,
        """
        {"metadata":{"name":"%s","namespace":"ns","uid":"%1$s"},"spec":{"queueName":"lq",
        "podSets":[{"name":"main","count":1,"template":{"spec":{"containers":[{"name":"c",
        "resources":{"requests":{"cpu":"500m"}}}]}}}]},"status":{%2$s}}\
        """
            .formatted(name, status));
  }

  private double value(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  @Test
  void saysWhatEachQueueHasInCoresAndWhereItStands() {
    new QuotaMetrics(registry, true, true, () -> "leader").update(engine.snapshot(T));

    assertThat(value("kueue.cluster.queue.info", "parent_cohort", "team", "root_cohort", "all"))
        .isEqualTo(1);
    assertThat(value("kueue.cohort.info", "cohort", "team", "parent_cohort", "all")).isEqualTo(1);
    assertThat(value("kueue.cluster.queue.nominal.quota", "cohort", "team", "flavor", "f"))
        .isEqualTo(4);
    assertThat(value("kueue.cluster.queue.borrowing.limit")).isEqualTo(1.5);
    assertThat(value("kueue.cluster.queue.lending.limit")).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(value("kueue.cluster.queue.resource.reservation")).isEqualTo(0.5);
    assertThat(value("kueue.cluster.queue.resource.usage")).isZero();
    assertThat(value("kueue.local.queue.resource.reservation", "name", "lq")).isEqualTo(0.5);
    assertThat(value("kueue.cohort.subtree.quota", "cohort", "all")).isEqualTo(4);
    assertThat(value("kueue.cohort.subtree.resource.reservations", "cohort", "all")).isEqualTo(0.5);
    assertThat(value("kueue.cluster.queue.weighted.share", "cluster_queue", "cq")).isZero();
  }

  @Test
  void saysWhoIsNotAdmittedAndWhy() {
    new QuotaMetrics(registry, false, false, () -> "leader").update(engine.snapshot(T));

    assertThat(
            value(
                "kueue.unadmitted.workloads",
                "reason",
                "NoReservation",
                "underlying_cause",
                "PendingEvaluation"))
        .isEqualTo(1);
    assertThat(
            value("kueue.unadmitted.workloads", "reason", "NoReservation", "underlying_cause", ""))
        .isEqualTo(1);
    assertThat(registry.find("kueue.cluster.queue.nominal.quota").gauges()).isEmpty();
    assertThat(registry.find("kueue.cluster.queue.weighted.share").gauges()).isEmpty();
  }

  @Test
  void whatIsGoneHasNoSeries() {
    QuotaMetrics metrics = new QuotaMetrics(registry, true, false, () -> "leader");
    metrics.update(engine.snapshot(T));
    engine.apply(new Change.Gone(Change.Kind.CLUSTER_QUEUE, new ObjectKey("", "cq")), T);
    engine.apply(new Change.Gone(Change.Kind.WORKLOAD, new ObjectKey("ns", "waits")), T);

    metrics.update(engine.snapshot(T));

    assertThat(registry.find("kueue.cluster.queue.info").gauges()).isEmpty();
    assertThat(registry.find("kueue.cluster.queue.nominal.quota").gauges()).isEmpty();
  }
}
