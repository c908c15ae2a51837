package dev.sluice.scheduler.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Manager.CustomLabel;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.LabelSelector;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.lifecycle.store.ObjectLookup;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A ClusterQueue {@code cq} with 4 cores, of which it lends 1, in Cohort {@code team} below {@code
 * all}, with LocalQueue {@code ns/lq}; and what is measured of it, as a page.
 */
final class MetricsWorld implements ObjectLookup {
  static final Instant T = Instant.parse("2026-11-21T12:00:00Z");
  static final MetricSettings ALL =
      new MetricSettings(
          true, true, true, LabelSelector.EVERYTHING, true, true, true, true, List.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  private final QuotaEngine engine;
  private final Map<ObjectKey, JsonNode> objects = new HashMap<>();
  private final Map<String, JsonNode> owned = new HashMap<>();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final SchedulerMetrics metrics;

  MetricsWorld(MetricSettings settings) {
    this(settings, EngineConfiguration.defaults());
  }

  MetricsWorld(MetricSettings settings, EngineConfiguration configuration) {
    engine = new QuotaEngine(configuration);
    metrics =
        new SchedulerMetrics(settings, () -> engine.snapshot(T), this, () -> "leader", () -> T);
    registry.getPrometheusRegistry().register(metrics);
    apply(
        Change.upserted(
            ObjectKind.RESOURCE_FLAVOR,
            read(ResourceFlavor.class, "{\"metadata\":{\"name\":\"f\"}}")));
    cohort("team", "all");
    apply(
        Change.upserted(
            ObjectKind.NAMESPACE, read(Namespace.class, "{\"metadata\":{\"name\":\"ns\"}}")));
    clusterQueue("cq", "\"cohortName\":\"team\"");
    localQueue("lq", "cq", "");
  }

  static MetricSettings with(CustomLabel... labels) {
    return new MetricSettings(
        true, true, true, LabelSelector.EVERYTHING, true, true, true, true, List.of(labels));
  }

  static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, tree(json));
  }

  void apply(Change change) {
    engine.apply(change, T);
  }

  void cohort(String name, String parent) {
    apply(
        Change.upserted(
            ObjectKind.COHORT,
            read(
                Cohort.class,
                """
                {"metadata":{"name":"%s"},"spec":{"parentName":"%s"}}\
                """
                    .formatted(name, parent))));
  }

  void clusterQueue(String name, String more) {
    apply(
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            read(
                ClusterQueue.class,
                """
                {"metadata":{"name":"%s"},"spec":{"namespaceSelector":{},"resourceGroups":[{
                "coveredResources":["cpu"],"flavors":[{"name":"f","resources":[{"name":"cpu",
                "nominalQuota":"4","borrowingLimit":"1500m","lendingLimit":"1"}]}]}],%s}}\
                """
                    .formatted(name, more))));
  }

  void localQueue(String name, String clusterQueue, String labels) {
    apply(
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            read(
                LocalQueue.class,
                """
                {"metadata":{"name":"%s","namespace":"ns","labels":{%s}},
                "spec":{"clusterQueue":"%s"}}\
                """
                    .formatted(name, labels, clusterQueue))));
  }

  /** A Workload in {@code ns/lq}; the status is the inside of an object. */
  void workload(String name, String cpu, String status) {
    workload(name, "", cpu, status);
  }

  /** The same with these labels, of half a core. */
  void labelled(String name, String labels, String status) {
    workload(name, labels, "500m", status);
  }

  private void workload(String name, String labels, String cpu, String status) {
    apply(
        Change.upserted(
            ObjectKind.WORKLOAD,
            read(
                Workload.class,
                """
                {"metadata":{"name":"%s","namespace":"ns","uid":"%1$s","labels":{%s},
                "creationTimestamp":"2026-11-21T11:59:30Z"},"spec":{"queueName":"lq",
                "podSets":[{"name":"main","count":1,"template":{"spec":{"containers":[{"name":"c",
                "resources":{"requests":{"cpu":"%s"}}}]}}}]},"status":{%s}}\
                """
                    .formatted(name, labels, cpu, status))));
  }

  /** The status of one that has half a core, with these conditions, apart by commas. */
  static String holding(String... conditions) {
    return """
    "admission":{"clusterQueue":"cq","podSetAssignments":[{"name":"main","count":1,
    "flavors":{"cpu":"f"},"resourceUsage":{"cpu":"500m"}}]},"conditions":[%s]\
    """
        .formatted(String.join(",", conditions));
  }

  static String condition(String type, boolean yes, String reason, int second) {
    return condition(type, yes, reason, "", second);
  }

  static String condition(String type, boolean yes, String reason, String message, int second) {
    return """
    {"type":"%s","status":"%s","reason":"%s","message":"%s",
    "lastTransitionTime":"2026-11-21T12:00:%02dZ"}\
    """
        .formatted(type, yes ? "True" : "False", reason, message, second);
  }

  /** The object of that name is that one. */
  void object(ApiKind kind, String namespace, String name, JsonNode object) {
    objects.put(new ObjectKey(kind + "/" + namespace, name), object);
  }

  /** The Workload of the owner with that uid is that one. */
  void owned(String uid, JsonNode workload) {
    owned.put(uid, workload);
  }

  CycleResult cycle() {
    return engine.cycle(T);
  }

  SchedulerMetrics metrics() {
    return metrics;
  }

  void seen(JsonNode before, JsonNode after) {
    metrics.workload(new ObjectChange(Optional.of(before), Optional.of(after)));
  }

  /** The lines of the page. */
  List<String> lines() {
    return registry.scrape().lines().toList();
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    return ApiKind.find(kind.kind())
        .map(it -> objects.get(new ObjectKey(it + "/" + namespace, name)));
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String uid) {
    JsonNode found = owned.get(uid);
    return found == null ? List.of() : List.of(found);
  }
}
