package dev.sluice.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.MergePatch;
import dev.sluice.api.write.Write;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.testkit.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What has to be written of queues, decided from real engines. */
class QueuePlannerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");
  private static final String FINALIZER = "\"kueue.x-k8s.io/resource-in-use\"";

  private QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());

  private static <T> T read(Class<T> type, String json) {
    try {
      return HubObjects.read(type, JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private static ClusterQueue clusterQueue(String metadata, String spec) {
    return read(
        ClusterQueue.class,
        """
        {"metadata":{"name":"cq","uid":"c","resourceVersion":"3","generation":2%s},
        "spec":{"namespaceSelector":{}%s,"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
        {"name":"f","resources":[{"name":"cpu","nominalQuota":"4"}]}]}]}}\
        """
            .formatted(metadata, spec));
  }

  private static LocalQueue localQueue(String spec) {
    return read(
        LocalQueue.class,
        """
        {"metadata":{"name":"lq","namespace":"ns","uid":"l","resourceVersion":"4"},
        "spec":{"clusterQueue":"cq"%s}}\
        """
            .formatted(spec));
  }

  private static ResourceFlavor flavor(String metadata) {
    return read(
        ResourceFlavor.class,
        "{\"metadata\":{\"name\":\"f\",\"resourceVersion\":\"5\"%s},\"spec\":{}}"
            .formatted(metadata));
  }

  private void told(ClusterQueue queue, LocalQueue localQueue) {
    engine.apply(Change.upserted(ObjectKind.CLUSTER_QUEUE, queue), T);
    engine.apply(Change.upserted(ObjectKind.LOCAL_QUEUE, localQueue), T);
  }

  private void holding(String name, String cpu, boolean admitted) {
    engine.apply(
        Change.upserted(
            ObjectKind.WORKLOAD,
            read(
                Workload.class,
                """
                {"metadata":{"name":"%s","namespace":"ns","uid":"%1$s"},"spec":{"queueName":"lq",
                "podSets":[{"name":"main","count":1,"template":{"spec":{"containers":[{"name":"c",
                "resources":{"requests":{"cpu":"%2$s"}}}]}}}]},"status":{"admission":{
                "clusterQueue":"cq","podSetAssignments":[{"name":"main","count":1,
                "flavors":{"cpu":"f"},"resourceUsage":{"cpu":"%2$s"}}]},"conditions":[
                {"type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"",
                "lastTransitionTime":"2026-11-21T11:00:00Z"},
                {"type":"Admitted","status":"%3$s","reason":"Admitted","message":"",
                "lastTransitionTime":"2026-11-21T11:00:00Z"}]}}\
                """
                    .formatted(name, cpu, admitted ? "True" : "False"))),
        T);
  }

  private void waiting(String name) {
    engine.apply(
        Change.upserted(
            ObjectKind.WORKLOAD,
            read(
                Workload.class,
                """
                {"metadata":{"name":"%s","namespace":"ns","uid":"%1$s"},"spec":{"queueName":"lq",
                "podSets":[]}}\
                """
                    .formatted(name))),
        T);
  }

  private List<Write> plan(
      List<ClusterQueue> queues, List<LocalQueue> localQueues, List<ResourceFlavor> flavors) {
    return plan(queues, localQueues, flavors, new SettledQueues(), T);
  }

  private List<Write> plan(
      List<ClusterQueue> queues,
      List<LocalQueue> localQueues,
      List<ResourceFlavor> flavors,
      SettledQueues settled,
      Instant now) {
    return plan(queues, localQueues, flavors, settled, new AwaitedQueues(), now);
  }

  private List<Write> plan(
      List<ClusterQueue> queues,
      List<LocalQueue> localQueues,
      List<ResourceFlavor> flavors,
      SettledQueues settled,
      AwaitedQueues awaited,
      Instant now) {
    Map<String, ClusterQueue> byName =
        queues.isEmpty() ? Map.of() : Map.of("cq", queues.getFirst());
    List<AdmissionCheck> checks = List.of();
    return QueuePlanner.plan(
        new QueueObjects(byName, localQueues, List.of(), flavors, checks, List.of()),
        engine.snapshot(now),
        false,
        now,
        settled,
        awaited);
  }

  private static JsonNode patch(List<Write> writes, String kind) {
    return writes.stream()
        .filter(write -> write.target().kind().kind().equals(kind))
        .map(write -> (JsonNode) ((Write.MergePatch) write).patch())
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  @Test
  void ofMoreFlavorsThanAStatusHasRoomForTellsTheFirst() {
    String flavors =
        IntStream.range(0, 65)
            .mapToObj(
                """
                {"name":"f%d","resources":[{"name":"cpu","nominalQuota":"4"}]}\
                """
                    ::formatted)
            .collect(Collectors.joining(","));
    ClusterQueue queue =
        read(
            ClusterQueue.class,
            """
            {"metadata":{"name":"cq","uid":"c","resourceVersion":"3","finalizers":[%s]},"spec":{
            "namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[%s]}]}}\
            """
                .formatted(FINALIZER, flavors));
    LocalQueue local = localQueue("");
    told(queue, local);

    List<Write> writes = plan(List.of(queue), List.of(local), List.of());

    for (String kind : List.of("ClusterQueue", "LocalQueue")) {
      JsonNode status = patch(writes, kind).path("status");
      assertThat(status.path("flavorsReservation")).as(kind).hasSize(64);
      assertThat(status.path("flavorsUsage")).as(kind).hasSize(64);
      assertThat(status.at("/flavorsUsage/63/name").asText()).isEqualTo("f63");
    }
  }

  @Test
  void tellsResourcesByNameWhateverTheirOrderInTheQueue() {
    ClusterQueue queue =
        read(
            ClusterQueue.class,
            """
            {"metadata":{"name":"cq","uid":"c","resourceVersion":"3","finalizers":[%s]},"spec":{
            "namespaceSelector":{},"resourceGroups":[{"coveredResources":["memory","cpu"],
            "flavors":[{"name":"f","resources":[{"name":"memory","nominalQuota":"4Gi"},
            {"name":"cpu","nominalQuota":"4"}]}]}]}}\
            """
                .formatted(FINALIZER));
    LocalQueue local = localQueue("");
    told(queue, local);

    List<Write> writes = plan(List.of(queue), List.of(local), List.of());

    for (String kind : List.of("ClusterQueue", "LocalQueue")) {
      assertThat(patch(writes, kind).at("/status/flavorsReservation/0/resources"))
          .as(kind)
          .extracting(it -> it.path("name").asText())
          .containsExactly("cpu", "memory");
    }
  }

  /**
   * An engine of a LocalQueue whose history was written down at that time, and where nobody waits.
   *
   * @param used what it had used by then
   * @param runs what runs since
   */
  private LocalQueue fair(ClusterQueue queue, String written, int used, int runs) {
    return fair(queue, Duration.ofMinutes(10), written, used, runs);
  }

  private LocalQueue fair(
      ClusterQueue queue, Duration halfLife, String written, int used, int runs) {
    engine =
        new QuotaEngine(
            EngineConfiguration.defaults()
                .withAdmissionFairSharing(
                    new AdmissionFairSharing(halfLife, Duration.ofMinutes(5), Map.of())));
    LocalQueue local =
        read(
            LocalQueue.class,
            """
            {"metadata":{"name":"lq","namespace":"ns","uid":"l","resourceVersion":"4"},
            "spec":{"clusterQueue":"cq"},"status":{"fairSharing":{"weightedShare":0,"admissionFairSharingStatus":{
            "consumedResources":{"cpu":"%d"},"lastUpdate":"%s"}}}}\
            """
                .formatted(used, written));
    engine.apply(Change.upserted(ObjectKind.RESOURCE_FLAVOR, flavor("")), T);
    told(queue, local);
    if (runs > 0) {
      holding("a", String.valueOf(runs), true);
    }
    return local;
  }

  private static ClusterQueue fairQueue() {
    return clusterQueue(
        ",\"finalizers\":[" + FINALIZER + "]",
        ",\"admissionScope\":{\"admissionMode\":\"UsageBasedAdmissionFairSharing\"}");
  }

  /** The status of that LocalQueue. */
  private JsonNode fairStatus(String written, int used, int runs) {
    ClusterQueue queue = fairQueue();
    LocalQueue local = fair(queue, written, used, runs);

    return patch(plan(List.of(queue), List.of(local), List.of()), "LocalQueue").path("status");
  }

  @Test
  void writesDownWhatALocalQueueHasUsedOnceAnIntervalIsOver() {
    assertThat(fairStatus("2026-11-21T11:50:00Z", 4, 2).path("fairSharing").toString())
        .as("half of the past, and half of what runs")
        .isEqualTo(
            "{\"admissionFairSharingStatus\":{\"consumedResources\":{\"cpu\":\"3\"},\"lastUpdate\":\"2026-11-21T12:00:00Z\"}}");
  }

  @Test
  void writesDownWhatALocalQueueHasUsedAlsoIfNothingElseChanges() {
    ClusterQueue queue = fairQueue();
    LocalQueue local = fair(queue, "2026-11-21T11:59:00Z", 4, 2);
    SettledQueues settled = new SettledQueues();
    local = stored(local, plan(List.of(queue), List.of(local), List.of(), settled, T));
    List<Write> second = plan(List.of(queue), List.of(local), List.of(), settled, T);

    List<Write> later =
        plan(List.of(queue), List.of(local), List.of(), settled, T.plus(Duration.ofMinutes(5)));

    assertThat(second).noneMatch(it -> it.target().kind().kind().equals("LocalQueue"));
    assertThat(patch(later, "LocalQueue").at("/status/fairSharing").isMissingNode()).isFalse();
  }

  @Test
  void leavesWhatIsWrittenDownOfALocalQueueUntilThen() {
    assertThat(fairStatus("2026-11-21T11:59:00Z", 4, 2).has("fairSharing")).isFalse();
  }

  @Test
  void writesNothingMoreOfALocalQueueWhosePastIsForgotten() {
    assertThat(fairStatus("2026-11-21T11:50:00Z", 0, 0).has("fairSharing")).isFalse();
  }

  @Test
  void writesOnceThatALocalQueueHasUsedNothingIfNoPastIsKept() {
    ClusterQueue queue = fairQueue();
    LocalQueue local = fair(queue, Duration.ZERO, "2026-11-21T11:50:00Z", 4, 2);

    List<Write> first = plan(List.of(queue), List.of(local), List.of());
    local = stored(local, first);
    List<Write> later =
        plan(
            List.of(queue),
            List.of(local),
            List.of(),
            new SettledQueues(),
            T.plus(Duration.ofMinutes(5)));

    assertThat(patch(first, "LocalQueue").at("/status/fairSharing").toString())
        .isEqualTo(
            "{\"admissionFairSharingStatus\":{\"consumedResources\":{\"cpu\":\"0\"},\"lastUpdate\":\"2026-11-21T12:00:00Z\"}}");
    assertThat(later).noneMatch(it -> it.target().kind().kind().equals("LocalQueue"));
  }

  @Test
  void countsWhoWaitsWhoHoldsAndWhoRuns() {
    ClusterQueue queue =
        clusterQueue(",\"finalizers\":[" + FINALIZER + "]", ",\"cohortName\":\"t\"");
    LocalQueue local = localQueue("");
    engine.apply(Change.upserted(ObjectKind.RESOURCE_FLAVOR, flavor("")), T);
    told(queue, local);
    holding("a", "3", true);
    holding("b", "2", false);
    waiting("c");

    List<Write> writes = plan(List.of(queue), List.of(local), List.of());

    JsonNode status = patch(writes, "ClusterQueue").path("status");
    assertThat(status.at("/conditions/0/reason").asText()).isEqualTo("Ready");
    assertThat(status.at("/conditions/0/observedGeneration").asInt()).isEqualTo(2);
    assertThat(status.path("pendingWorkloads").asInt()).isEqualTo(1);
    assertThat(status.path("reservingWorkloads").asInt()).isEqualTo(2);
    assertThat(status.path("admittedWorkloads").asInt()).isEqualTo(1);
    assertThat(status.path("flavorsReservation").toString())
        .isEqualTo(
            "[{\"name\":\"f\",\"resources\":[{\"name\":\"cpu\",\"total\":\"5\",\"borrowed\":\"1\"}]}]");
    assertThat(status.path("flavorsUsage").toString())
        .isEqualTo(
            "[{\"name\":\"f\",\"resources\":[{\"name\":\"cpu\",\"total\":\"3\",\"borrowed\":\"0\"}]}]");
    JsonNode localStatus = patch(writes, "LocalQueue").path("status");
    assertThat(localStatus.path("flavorsUsage").toString())
        .isEqualTo("[{\"name\":\"f\",\"resources\":[{\"name\":\"cpu\",\"total\":\"3\"}]}]");
    assertThat(localStatus.path("pendingWorkloads").asInt()).isEqualTo(1);
  }

  @Test
  void namesAllThatKeepsAQueueFromAdmittingAndGivesTheFirstAsReason() {
    ClusterQueue queue =
        clusterQueue(
            ",\"finalizers\":[" + FINALIZER + "]",
            ",\"stopPolicy\":\"Hold\",\"admissionChecksStrategy\":{\"admissionChecks\":["
                + "{\"name\":\"z\"},{\"name\":\"y\"}]}");
    told(queue, localQueue(""));

    JsonNode condition =
        patch(plan(List.of(queue), List.of(localQueue("")), List.of()), "ClusterQueue")
            .at("/status/conditions/0");

    assertThat(condition.path("status").asText()).isEqualTo("False");
    assertThat(condition.path("reason").asText()).isEqualTo("Stopped");
    assertThat(condition.path("message").asText())
        .isEqualTo(
            "Can't admit new workloads: is stopped, references missing ResourceFlavor(s): f,"
                + " references missing AdmissionCheck(s): y,z.");
  }

  @Test
  void cutsAMessageThatIsTooLongForACondition() {
    String flavors =
        IntStream.range(0, 256)
            .mapToObj(
                i ->
                    """
                    {"name":"%s%d","resources":[{"name":"cpu","nominalQuota":"4"}]}\
                    """
                        .formatted("f".repeat(128), i))
            .collect(Collectors.joining(","));
    ClusterQueue queue =
        read(
            ClusterQueue.class,
            """
            {"metadata":{"name":"cq","uid":"c","resourceVersion":"3","finalizers":[%s]},"spec":{
            "namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[%s]}]}}\
            """
                .formatted(FINALIZER, flavors));
    told(queue, localQueue(""));

    JsonNode condition =
        patch(plan(List.of(queue), List.of(), List.of()), "ClusterQueue")
            .at("/status/conditions/0");

    assertThat(condition.path("message").asText())
        .startsWith("Can't admit new workloads: references missing ResourceFlavor(s): fff")
        .endsWith(" ...")
        .hasSize(32 * 1024);
  }

  @Test
  void saysOfALocalQueueWhereItLeads() {
    LocalQueue local = localQueue("");
    assertThat(reason(List.of(), local)).isEqualTo("ClusterQueueDoesNotExist");

    ClusterQueue queue = clusterQueue("", "");
    told(queue, local);
    assertThat(reason(List.of(queue), local)).isEqualTo("ClusterQueueIsInactive");

    engine.apply(Change.upserted(ObjectKind.RESOURCE_FLAVOR, flavor("")), T);
    assertThat(reason(List.of(queue), local)).isEqualTo("Ready");
    assertThat(reason(List.of(queue), localQueue(",\"stopPolicy\":\"Hold\""))).isEqualTo("Stopped");
  }

  @Test
  void aLocalQueueWhoseClusterQueueIsGoneHasWhoWaitsAndNothingInUse() {
    LocalQueue local = localQueue("");
    told(clusterQueue("", ""), local);
    engine.apply(Change.upserted(ObjectKind.RESOURCE_FLAVOR, flavor("")), T);
    holding("runs", "1", true);
    waiting("waits");
    engine.apply(new Change.Deleted(ObjectKind.CLUSTER_QUEUE, new ObjectKey("", "cq")), T);

    JsonNode status =
        patch(plan(List.of(), List.of(local), List.of()), "LocalQueue").path("status");

    assertThat(status.path("pendingWorkloads").asInt()).isEqualTo(1);
    assertThat(status.path("reservingWorkloads").asInt()).isZero();
    assertThat(status.path("admittedWorkloads").asInt()).isZero();
    assertThat(status.path("flavorsReservation")).isEmpty();
  }

  @Test
  void aQueueWhoseFlavorIsMissingCountsWhoWaitsAndWhoHolds() {
    ClusterQueue queue = clusterQueue(",\"finalizers\":[" + FINALIZER + "]", "");
    LocalQueue local = localQueue("");
    engine.apply(Change.upserted(ObjectKind.RESOURCE_FLAVOR, flavor("")), T);
    told(queue, local);
    holding("runs", "3", true);
    waiting("waits");
    engine.apply(new Change.Deleted(ObjectKind.RESOURCE_FLAVOR, new ObjectKey("", "f")), T);

    List<Write> writes = plan(List.of(queue), List.of(local), List.of());

    for (String kind : List.of("ClusterQueue", "LocalQueue")) {
      JsonNode status = patch(writes, kind).path("status");
      assertThat(status.path("pendingWorkloads").asInt()).as(kind).isEqualTo(1);
      assertThat(status.path("reservingWorkloads").asInt()).as(kind).isEqualTo(1);
      assertThat(status.path("admittedWorkloads").asInt()).as(kind).isEqualTo(1);
      for (String usage : List.of("flavorsReservation", "flavorsUsage")) {
        assertThat(status.path(usage).at("/0/name").asText()).as(kind + usage).isEqualTo("f");
        assertThat(status.path(usage).at("/0/resources/0/total").asText()).isEqualTo("3");
      }
    }
    assertThat(patch(writes, "ClusterQueue").at("/status/conditions/0/reason").asText())
        .isEqualTo("FlavorNotFound");
    assertThat(patch(writes, "LocalQueue").at("/status/conditions/0/reason").asText())
        .isEqualTo("ClusterQueueIsInactive");
  }

  private String reason(List<ClusterQueue> queues, LocalQueue local) {
    return patch(plan(queues, List.of(local), List.of()), "LocalQueue")
        .at("/status/conditions/0/reason")
        .asText();
  }

  @Test
  void aQueueGetsItsFinalizerFirstAndKeepsItUntilNobodyHoldsItsQuota() {
    assertThat(patch(plan(List.of(clusterQueue("", "")), List.of(), List.of()), "ClusterQueue"))
        .hasToString("{\"metadata\":{\"finalizers\":[" + FINALIZER + "]}}");

    ClusterQueue leaving =
        clusterQueue(
            ",\"finalizers\":[\"other\"," + FINALIZER + "],\"deletionTimestamp\":\"" + T + "\"",
            "");
    told(leaving, localQueue(""));
    holding("a", "1", false);
    JsonNode held = patch(plan(List.of(leaving), List.of(), List.of()), "ClusterQueue");
    assertThat(held.at("/status/conditions/0/reason").asText()).isEqualTo("Terminating");
    assertThat(held.at("/status/conditions/0/message").asText())
        .isEqualTo("Can't admit new workloads; clusterQueue is terminating");

    engine.apply(new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("ns", "a")), T);
    waiting("b");
    assertThat(patch(plan(List.of(leaving), List.of(), List.of()), "ClusterQueue"))
        .hasToString("{\"metadata\":{\"finalizers\":[\"other\"]}}");
  }

  @Test
  void nothingIsToldOfAQueueUntilTheEngineHasJudgedItAsItIsStored() {
    String finalizer = ",\"finalizers\":[" + FINALIZER + "]";
    ClusterQueue before = clusterQueue(finalizer, "");
    LocalQueue local = localQueue("");
    told(before, local);
    for (ClusterQueue now :
        List.of(
            clusterQueue(finalizer, ",\"stopPolicy\":\"Hold\""),
            clusterQueue(finalizer + ",\"deletionTimestamp\":\"" + T + "\"", ""))) {
      assertThat(plan(List.of(now), List.of(local), List.of())).isEmpty();

      told(now, local);

      assertThat(plan(List.of(now), List.of(local), List.of())).isNotEmpty();
      told(before, local);
    }
  }

  @Test
  void nothingIsToldOfAQueueThatTheEngineDoesNotKnowYet() {
    ClusterQueue queue = clusterQueue(",\"finalizers\":[" + FINALIZER + "]", "");

    assertThat(plan(List.of(queue), List.of(localQueue("")), List.of())).isEmpty();
  }

  @Test
  void aQueueThatTheEngineFailsToTakeIsNotLeftOutForEver() {
    ClusterQueue queue = clusterQueue(",\"finalizers\":[" + FINALIZER + "]", "");
    SettledQueues settled = new SettledQueues();
    AwaitedQueues awaited = new AwaitedQueues();

    assertThat(plan(List.of(queue), List.of(), List.of(), settled, awaited, T)).isEmpty();
    assertThat(awaited.isEmpty()).isFalse();
    assertThat(plan(List.of(queue), List.of(), List.of(), settled, awaited, T.plusSeconds(10)))
        .isNotEmpty();
    assertThat(awaited.isEmpty()).isTrue();
  }

  @Test
  void aQueueIsKeptAsLongAsTheEngineHasNotHeardThatItGoes() {
    String finalizer = ",\"finalizers\":[" + FINALIZER + "]";
    told(clusterQueue(finalizer, ""), localQueue(""));
    waiting("b");
    ClusterQueue leaving = clusterQueue(finalizer + ",\"deletionTimestamp\":\"" + T + "\"", "");

    assertThat(plan(List.of(leaving), List.of(), List.of()))
        .noneMatch(
            write ->
                write instanceof Write.MergePatch patch
                    && patch.patch().at("/metadata").has("finalizers"));
  }

  @Test
  void aFlavorIsKeptAsLongAsAQueueNamesIt() {
    ClusterQueue queue = clusterQueue(",\"finalizers\":[" + FINALIZER + "]", "");
    String leaving = ",\"finalizers\":[" + FINALIZER + "],\"deletionTimestamp\":\"" + T + "\"";

    assertThat(patch(plan(List.of(queue), List.of(), List.of(flavor(""))), "ResourceFlavor"))
        .hasToString("{\"metadata\":{\"finalizers\":[" + FINALIZER + "]}}");
    assertThat(plan(List.of(queue), List.of(), List.of(flavor(leaving))))
        .noneMatch(write -> write.target().kind().kind().equals("ResourceFlavor"));
    assertThat(patch(plan(List.of(), List.of(), List.of(flavor(leaving))), "ResourceFlavor"))
        .hasToString("{\"metadata\":{\"finalizers\":[]}}");
    assertThat(plan(List.of(), List.of(), List.of(flavor("")))).isEmpty();
  }

  /** The queues after these writes were stored. */
  private static LocalQueue stored(LocalQueue queue, List<Write> writes) {
    LocalQueue now = queue;
    for (Write write : writes) {
      if (write instanceof Write.MergePatch patch
          && patch.target().kind().kind().equals("LocalQueue")) {
        now =
            HubObjects.read(
                LocalQueue.class, MergePatch.applied(HubObjects.write(now), patch.patch()));
      }
    }
    return now;
  }

  /** Something that changes the status of the LocalQueue, or may. */
  private ClusterQueue changed(ClusterQueue queue, Random random) {
    String workload = "w" + random.nextInt(3);
    switch (random.nextInt(7)) {
      case 0 -> holding(workload, String.valueOf(1 + random.nextInt(2)), random.nextBoolean());
      case 1 -> waiting(workload);
      case 2 ->
          engine.apply(new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("ns", workload)), T);
      case 3 -> engine.apply(Change.upserted(ObjectKind.RESOURCE_FLAVOR, flavor("")), T);
      case 4 ->
          engine.apply(new Change.Deleted(ObjectKind.RESOURCE_FLAVOR, new ObjectKey("", "f")), T);
      case 5 -> {
        ClusterQueue now = clusterQueue("", random.nextBoolean() ? ",\"stopPolicy\":\"Hold\"" : "");
        engine.apply(Change.upserted(ObjectKind.CLUSTER_QUEUE, now), T);
        return now;
      }
      default -> {} // nothing
    }
    return queue;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatWasRightInThePassBeforeIsLeftOutOnlyAsLongAsItIsRight(long seed) {
    Random random = new Random(seed);
    SettledQueues settled = new SettledQueues();
    ClusterQueue queue = clusterQueue("", "");
    LocalQueue local = localQueue("");
    told(queue, local);
    for (int pass = 0; pass < 100; pass++) {
      queue = changed(queue, random);
      List<ClusterQueue> queues = random.nextInt(10) == 0 ? List.of() : List.of(queue);

      List<Write> writes = plan(queues, List.of(local), List.of(), settled, T);

      assertThat(writes).as("pass %d", pass).isEqualTo(plan(queues, List.of(local), List.of()));
      local = stored(local, writes);
    }
  }

  private static LongStream seeds() {
    return LongStream.range(0, Tier.number(10, 50));
  }
}
