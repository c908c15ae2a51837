package dev.sluice.cli.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.testcluster.Kueue;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** What {@link StoredAttack} stores. */
final class StoredSteps {
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> QUANTITIES =
      List.of(
          "1e9999",
          "1e-9999",
          "9223372036854775807",
          "9223372036854775808",
          "-1",
          "0.0000001n",
          "1000000000000E",
          "1e18",
          "+1",
          "1.",
          ".5",
          "0");
  private static final List<String> TIMES =
      List.of(
          "0000-01-01T00:00:00Z",
          "0001-01-01T00:00:00Z",
          "1969-12-31T23:59:59Z",
          "9999-12-31T23:59:59Z",
          "2026-01-01T00:00:00.123456789+14:00",
          "2016-12-31T23:59:60Z");
  private static final List<String> STATUSES =
      List.of(
          "QuotaReserved",
          "Admitted",
          "Evicted",
          "Preempted",
          "Requeued",
          "Finished",
          "PodsReady",
          "DeactivationTarget");
  private static final List<String> PRIORITIES = List.of("0", "2147483647", "-2147483648");

  private StoredSteps() {}

  /**
   * Workloads that hold quota with placements of more domains than any cluster has, read at every
   * version.
   */
  static void placements(HostileObjects objects, RandomGenerator random, String name) {
    if (!objects.create(ApiKind.WORKLOAD, name, Kueue.workload(objects.base(), 1))) {
      return;
    }
    int slices = 1 << random.nextInt(10);
    int domains = Review.pick(random, List.of(1, 1000, 100_000, 2_147_483_647));
    int pods = Review.pick(random, List.of(1, 1000, 2_147_483_647));
    String slice =
        """
        {"domainCount":%d,"podCounts":{"universal":%d},"valuesPerLevel":[{"universal":"a"}]}\
        """
            .formatted(domains, pods);
    objects.setStatus(
        ApiKind.WORKLOAD,
        name,
        """
        {"conditions":[%s,%s],"admission":{"clusterQueue":"%s","podSetAssignments":[{"name":"main",\
        "count":1,"flavors":{"cpu":"%s"},"resourceUsage":{"cpu":"1"},"topologyAssignment":{\
        "levels":["kubernetes.io/hostname"],"slices":[%s]}}]}}\
        """
            .formatted(
                condition("QuotaReserved", "2026-01-01T00:00:00Z"),
                condition("Admitted", "2026-01-01T00:00:00Z"),
                objects.base(),
                objects.base(),
                String.join(",", Expansion.repeated(slice, slices))));
    objects.readAt(ApiKind.WORKLOAD, ApiVersion.V1BETA1, name);
  }

  private static String condition(String type, String time) {
    return """
    {"type":"%s","status":"True","reason":"Reserved","message":"m","lastTransitionTime":"%s"}\
    """
        .formatted(type, time);
  }

  /** Cohorts in circles, quotas and requests that no number holds, flavors with large selectors. */
  static void quotas(HostileObjects objects, RandomGenerator random, String name) {
    String quantity = Review.pick(random, QUANTITIES);
    String other = objects.base() + "-" + random.nextInt(2) + "-" + random.nextInt(200);
    String groups =
        """
        "resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"%s","resources":[{\
        "name":"cpu","nominalQuota":"%s","borrowingLimit":"%s","lendingLimit":"%s"}]}]}]\
        """
            .formatted(
                objects.base(),
                quantity,
                Review.pick(random, QUANTITIES),
                Review.pick(random, QUANTITIES));
    switch (random.nextInt(5)) {
      case 0 ->
          objects.create(
              ApiKind.COHORT, name, "{\"parentName\":\"%s\",%s}".formatted(other, groups));
      case 1 ->
          objects.create(
              ApiKind.CLUSTER_QUEUE,
              name,
              "{\"namespaceSelector\":{},\"cohortName\":\"%s\",%s}".formatted(other, groups));
      case 2 -> objects.create(ApiKind.RESOURCE_FLAVOR, name, flavor(random));
      case 3 ->
          objects.create(
              ApiKind.WORKLOAD,
              name,
              Kueue.workload(objects.base(), 1)
                  .replace("\"cpu\":\"1\"", "\"cpu\":\"" + quantity + "\"")
                  .replace("\"count\":1", "\"count\":" + Review.pick(random, PRIORITIES)));
      default -> objects.create(ApiKind.LOCAL_QUEUE, name, Kueue.localQueue(other));
    }
  }

  private static String flavor(RandomGenerator random) {
    StringBuilder labels = new StringBuilder();
    for (int i = random.nextInt(9); i > 0; i--) {
      String key = (random.nextBoolean() ? "Pool" : "pool") + "k".repeat(random.nextInt(50)) + i;
      labels.append("\"%s\":\"%s\",".formatted(key, "v".repeat(random.nextInt(64))));
    }
    return "{\"nodeLabels\":{%s\"p\":\"P\"}}".formatted(labels);
  }

  /** Workloads whose conditions contradict each other, at times that never were. */
  static void statuses(HostileObjects objects, RandomGenerator random, String name) {
    if (!objects.create(
        ApiKind.WORKLOAD, name, Kueue.workload(objects.base(), 1 + random.nextInt(400)))) {
      return;
    }
    for (int i = random.nextInt(4); i >= 0; i--) {
      String condition =
          condition(Review.pick(random, STATUSES), Review.pick(random, TIMES))
              .replace("True", random.nextInt(3) == 0 ? "False" : "True");
      String admission =
          random.nextInt(3) == 0
              ? ",\"admission\":null"
              : random.nextInt(3) == 0
                  ? ",\"admission\":{\"clusterQueue\":\"none\",\"podSetAssignments\":[]}"
                  : "";
      objects.setStatus(
          ApiKind.WORKLOAD,
          name,
          """
          {"conditions":[%s],"requeueState":{"count":%d,"requeueAt":"%s"}%s}\
          """
              .formatted(condition, random.nextInt(), Review.pick(random, TIMES), admission));
    }
  }

  /** Objects of every kind as their schemas have them, with a status of their schema. */
  static void drawn(HostileObjects objects, RandomGenerator random, String name) {
    ApiKind kind = Review.pick(random, List.of(ApiKind.values()));
    ApiVersion version = Review.pick(random, kind.versions());
    ObjectNode object = tree(Types.valid(random, kind, version).write());
    ObjectNode metadata = object.withObject("/metadata");
    metadata.removeAll();
    metadata.put("name", name);
    String collection = Kueue.collection(kind, version, objects.base());
    if (objects.store(collection, name, object.toString()) && object.has("status")) {
      objects.setStatus(kind, name, object.get("status").toString());
    }
  }

  private static ObjectNode tree(String json) {
    try {
      JsonNode node = JSON.readTree(json);
      return (ObjectNode) node;
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Workloads that are deleted while they get their quota. */
  static void deletions(HostileObjects objects, RandomGenerator random, String name) {
    objects.mustBeEmptyAtTheEnd();
    if (objects.create(ApiKind.WORKLOAD, name, Kueue.workload(objects.base(), 1))) {
      pause(Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(300) : random.nextInt(40)));
      objects.delete(ApiKind.WORKLOAD, name);
    }
  }

  /** The moment itself is what is drawn: there is no condition to wait for. */
  private static void pause(Duration time) {
    java.util.concurrent.locks.LockSupport.parkNanos(
        TimeUnit.MILLISECONDS.toNanos(time.toMillis()));
  }
}
