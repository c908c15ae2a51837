package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.QuotaHold.Contradiction;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Detour;
import dev.sluice.cli.testcluster.Detour.Answer;
import dev.sluice.cli.testcluster.Detour.Call;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Others take a reservation back, by each verb there is; the Workload gets quota again and ends
 * whole, and at no time do we store one that says it has quota and not of which queue.
 */
@FullTier
@NeedsControlPlane
@Timeout(900)
class UnreservedE2E {
  private static final String CONDITION =
      """
      {"type":"QuotaReserved","status":"False","reason":"Cleared","message":"taken back",
      "lastTransitionTime":"2026-01-01T00:00:00Z"}\
      """;

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER = new SchedulerBeside(CLUSTER, "");

  /** What our writes have made of Workloads. */
  private static final List<JsonNode> STORED = new CopyOnWriteArrayList<>();

  private static final AtomicBoolean UNRESERVED = new AtomicBoolean();
  private static final AtomicBoolean CROSSED = new AtomicBoolean();
  private static Detour detour;
  private static SluiceProcess process;

  @BeforeAll
  static void aQueueAndAScheduler() throws IOException {
    CLUSTER.stopValidating(); // the webhook would refuse what must not even be sent
    Kueue.create(CLUSTER.api(), RESOURCE_FLAVOR, "rf", "{}").orThrow();
    Kueue.create(CLUSTER.api(), CLUSTER_QUEUE, "cq", Kueue.clusterQueue("rf", 100)).orThrow();
    Kueue.create(CLUSTER.api(), LOCAL_QUEUE, "lq", Kueue.localQueue("cq")).orThrow();
    String preempting =
        Kueue.clusterQueue("rf", 100)
            .replaceFirst("\\{", "{\"preemption\":{\"withinClusterQueue\":\"LowerPriority\"},");
    Kueue.create(CLUSTER.api(), CLUSTER_QUEUE, "preempting", preempting).orThrow();
    Kueue.create(CLUSTER.api(), LOCAL_QUEUE, "full", Kueue.localQueue("preempting")).orThrow();
    detour = Detour.to(CLUSTER.api());
    detour.with(UnreservedE2E::record);
    process = SCHEDULER.start(detour.kubeconfig(CLUSTER.folder()));
  }

  @AfterAll
  static void theSchedulerEnds() throws InterruptedException {
    SchedulerBeside.stop(process);
    process.close();
    detour.close();
  }

  /** Who takes a reservation back, and how. */
  enum Way {
    APPLY_UNDER_OUR_MANAGER {
      @Override
      ApiClient.Response unreserve(String workload) {
        return apply(workload, "kueue-admission");
      }
    },
    APPLY_UNDER_ANOTHER {
      @Override
      ApiClient.Response unreserve(String workload) {
        return apply(workload, "somebody");
      }
    },
    MERGE_PATCH {
      @Override
      ApiClient.Response unreserve(String workload) {
        String status =
            "{\"status\":{\"admission\":null,\"conditions\":[%s]}}".formatted(CONDITION);
        return CLUSTER.api().mergePatch(path(workload) + "/status", status);
      }
    },
    UPDATE {
      @Override
      ApiClient.Response unreserve(String workload) {
        ObjectNode object = (ObjectNode) get(workload);
        object.putObject("status");
        return CLUSTER.api().put(path(workload) + "/status", object.toString());
      }
    };

    abstract ApiClient.Response unreserve(String workload);

    private static ApiClient.Response apply(String workload, String manager) {
      String status = "\"status\":{\"conditions\":[%s]}".formatted(CONDITION);
      return CLUSTER
          .api()
          .serverSideApply(
              path(workload) + "/status", manager, Kueue.object(WORKLOAD, HUB, workload, status));
    }
  }

  private static String path(String workload) {
    return Kueue.path(WORKLOAD, HUB, workload);
  }

  private static JsonNode get(String workload) {
    return CLUSTER.api().get(path(workload)).orThrow().json();
  }

  private static boolean isStatusWrite(Call call) {
    return call.method().equals("PATCH") && call.target().contains("/status?");
  }

  private static Optional<Answer> record(Call call) {
    if (!isStatusWrite(call) || !call.target().contains("/workloads/")) {
      return Optional.empty();
    }
    if (call.target().contains("/crossed/")
        && reserves(call)
        && CROSSED.compareAndSet(false, true)) {
      // another client removes the leftover just before our reservation is written
      CLUSTER
          .api()
          .mergePatch(path("crossed") + "/status", "{\"status\":{\"admission\":null}}")
          .orThrow();
    }
    ApiClient.Response response = detour.forward(call);
    if (response.isSuccess()) {
      STORED.add(response.json());
    }
    return Optional.of(new Answer(response.status(), Map.of(), response.body()));
  }

  private static boolean reserves(Call call) {
    return UNRESERVED.get() && call.body().contains("\"reason\":\"QuotaReserved\"");
  }

  private static boolean isWhole(JsonNode workload) {
    return QuotaHold.isHeldBy(workload)
        && ApiClient.hasCondition(workload, "Admitted")
        && QuotaHold.contradiction(workload).isEmpty();
  }

  private static void awaitWhole(String what, String workload) {
    SCHEDULER.await(what, () -> isWhole(get(workload)), () -> get(workload).toString());
  }

  private static List<JsonNode> storedWithoutAdmission(String workload) {
    return STORED.stream()
        .filter(it -> it.at("/metadata/name").asText().equals(workload))
        .filter(
            it ->
                QuotaHold.contradiction(it)
                    .filter(found -> found == Contradiction.RESERVED_WITHOUT_ADMISSION)
                    .isPresent())
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void isAdmittedAgainAndWhole(Way way) {
    String name = nameOf(way);
    Kueue.create(CLUSTER.api(), WORKLOAD, name, Kueue.workload("lq", 1)).orThrow();
    awaitWhole("it has quota", name);
    for (int round = 1; round <= 3; round++) {
      String cleared = version(way.unreserve(name).orThrow().json());

      SCHEDULER.await(
          "it has quota again, round " + round,
          () -> isWhole(get(name)) && !version(get(name)).equals(cleared),
          () -> cleared + "\n" + get(name));
    }
    assertThat(storedWithoutAdmission(name)).isEmpty();
  }

  private static String nameOf(Way way) {
    return way.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String version(JsonNode workload) {
    return workload.at("/metadata/resourceVersion").asText();
  }

  @ParameterizedTest
  @EnumSource
  void thePreemptorIsAdmittedOnceAnotherWriterTookTheQuotaOfItsVictim(Way way) {
    String victim = "victim-" + nameOf(way);
    String preemptor = "preemptor-" + nameOf(way);
    Kueue.create(CLUSTER.api(), WORKLOAD, victim, Kueue.workload("full", 100)).orThrow();
    awaitWhole("the victim has quota", victim);
    way.unreserve(victim).orThrow(); // and it gets its quota again
    awaitWhole("the victim has quota again", victim);
    long created = System.nanoTime();
    Kueue.create(CLUSTER.api(), WORKLOAD, preemptor, urgent("full", 100)).orThrow();
    SCHEDULER.await(
        "the victim is evicted",
        () -> ApiClient.hasCondition(get(victim), "Evicted"),
        () -> get(victim).toString());
    long evicted = System.nanoTime();
    way.unreserve(victim).orThrow();

    awaitWhole("the preemptor has quota", preemptor);

    System.out.printf(
        "un-reserved by %s: its victim was evicted after %.2f s, it had quota %.2f s later%n",
        way, (evicted - created) / 1e9, (System.nanoTime() - evicted) / 1e9);
    CLUSTER.api().delete(path(preemptor)).orThrow();
    awaitWhole("the victim has quota after it", victim);
    CLUSTER.api().delete(path(victim)).orThrow();
  }

  private static String urgent(String localQueue, int cpu) {
    return Kueue.workload(localQueue, cpu).replaceFirst("\\{", "{\"priority\":10,");
  }

  @Test
  void aReservationThatCrossesTheRemovalOfALeftoverNamesItsQueueAllTheSame() {
    Kueue.create(CLUSTER.api(), WORKLOAD, "crossed", Kueue.workload("lq", 1)).orThrow();
    awaitWhole("it has quota", "crossed");
    UNRESERVED.set(true);

    Way.APPLY_UNDER_OUR_MANAGER.unreserve("crossed").orThrow();

    SCHEDULER.await("its reservation crosses the removal", CROSSED::get);
    awaitWhole("it has quota again", "crossed");
    assertThat(storedWithoutAdmission("crossed")).isEmpty();
  }

  @Test
  void oneThatSomebodyStoredWithoutAnAdmissionIsEvictedSoThatItCanGoOn() {
    Kueue.create(CLUSTER.api(), WORKLOAD, "broken", Kueue.workload("lq", 1)).orThrow();
    awaitWhole("it has quota", "broken");

    CLUSTER
        .api()
        .mergePatch(path("broken") + "/status", "{\"status\":{\"admission\":null}}")
        .orThrow();
    SCHEDULER.await(
        "it is evicted",
        () -> ApiClient.hasCondition(get("broken"), "Evicted"),
        () -> get("broken").toString());
    CLUSTER
        .api()
        .mergePatch(path("broken") + "/status", "{\"status\":{\"conditions\":[]}}")
        .orThrow(); // as its owner does once its pods are gone

    awaitWhole("it has quota again", "broken");
  }
}
