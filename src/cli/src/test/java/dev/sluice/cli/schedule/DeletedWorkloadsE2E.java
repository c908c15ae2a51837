package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Workloads are deleted while their reservations are being stored: what they were given is free
 * again, whichever comes first, the answer of the write or the event of the deletion.
 */
@FullTier
@NeedsControlPlane
@Timeout(900)
class DeletedWorkloadsE2E {
  private static final int WORKLOADS = Integer.getInteger("sluice.deleted.workloads", 100);
  private static final long SEED = Long.getLong("sluice.deleted.seed", 20261123);

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER = new SchedulerBeside(CLUSTER, "");

  private final AtomicInteger held = new AtomicInteger();

  private static String path(ApiKind kind, String name) {
    return Kueue.path(kind, HUB, name);
  }

  private static void queue(String name, int cpu) {
    Kueue.create(CLUSTER.api(), RESOURCE_FLAVOR, name, "{}").orThrow();
    Kueue.create(CLUSTER.api(), CLUSTER_QUEUE, name, Kueue.clusterQueue(name, cpu)).orThrow();
    Kueue.create(CLUSTER.api(), LOCAL_QUEUE, name, Kueue.localQueue(name)).orThrow();
  }

  private static int reserving(String queue) {
    return statusOf(queue).path("reservingWorkloads").asInt(-1);
  }

  private static JsonNode statusOf(String queue) {
    return CLUSTER.api().get(path(CLUSTER_QUEUE, queue)).orThrow().json().path("status");
  }

  private static boolean isGone(ApiKind kind, String name) {
    return CLUSTER.api().get(path(kind, name)).status() == 404;
  }

  /** Nothing is reserved, as the queue says, and nothing keeps queue and flavor from going. */
  private static void leave(String queue) {
    SCHEDULER.await(
        "nothing is reserved", () -> reserving(queue) == 0, () -> statusOf(queue).toString());
    for (ApiKind kind : List.of(LOCAL_QUEUE, CLUSTER_QUEUE, RESOURCE_FLAVOR)) {
      CLUSTER.api().delete(path(kind, queue)).orThrow();
    }
    SCHEDULER.await("the queue is gone", () -> isGone(CLUSTER_QUEUE, queue));
    SCHEDULER.await("the flavor is gone", () -> isGone(RESOURCE_FLAVOR, queue));
  }

  /** The reservation is stored, its Workload deleted, and only then the write is answered. */
  private Optional<Answer> answerLate(Detour detour, Call call, String workload) {
    if (!call.is("PATCH " + path(WORKLOAD, workload) + "/status")
        || !call.body().contains("\"QuotaReserved\"")
        || held.incrementAndGet() > 1) {
      return Optional.empty();
    }
    ApiClient.Response stored = detour.forward(call).orThrow();
    CLUSTER.api().delete(path(WORKLOAD, workload)).orThrow();
    Kueue.create(CLUSTER.api(), WORKLOAD, "marker", Kueue.workload("late", 1)).orThrow();
    // the watch tells in order: once this one is decided on, the deletion was told before
    SCHEDULER.await("the deletion was told", () -> has("Admitted", "marker"));
    return Optional.of(new Answer(stored.status(), Map.of(), stored.body()));
  }

  private static boolean has(String condition, String workload) {
    return ApiClient.hasCondition(
        CLUSTER.api().get(path(WORKLOAD, workload)).orThrow().json(), condition);
  }

  @Test
  void anAnswerThatComesAfterTheDeletionReservesNothing() throws IOException, InterruptedException {
    queue("late", 4);
    try (Detour detour = Detour.to(CLUSTER.api())) {
      detour.with(call -> answerLate(detour, call, "short"));
      try (SluiceProcess scheduler = SCHEDULER.start(detour.kubeconfig(CLUSTER.folder()))) {
        Kueue.create(CLUSTER.api(), WORKLOAD, "short", Kueue.workload("late", 3)).orThrow();
        SCHEDULER.await(
            "its reservation was stored, and it was deleted",
            () -> held.get() > 0 && isGone(WORKLOAD, "short"));
        Kueue.create(CLUSTER.api(), WORKLOAD, "next", Kueue.workload("late", 3)).orThrow();

        SCHEDULER.await("the next one has the quota", () -> has("Admitted", "next"));
        assertThat(scheduler.err()).as("nothing had to be given back").doesNotContain("audit:");

        CLUSTER.api().delete(path(WORKLOAD, "next")).orThrow();
        CLUSTER.api().delete(path(WORKLOAD, "marker")).orThrow();
        leave("late");
        SchedulerBeside.stop(scheduler);
      }
    }
  }

  @Test
  void workloadsThatAreDeletedInTheirFirstSecondLeaveNothingBehind()
      throws IOException, InterruptedException, ExecutionException {
    queue("brief", 2 * WORKLOADS);
    Random random = new Random(SEED);
    try (SluiceProcess scheduler = SCHEDULER.start();
        ScheduledExecutorService deleter = Executors.newScheduledThreadPool(8)) {
      Kueue.create(CLUSTER.api(), WORKLOAD, "first", Kueue.workload("brief", 1)).orThrow();
      SCHEDULER.await("the scheduler leads", () -> has("Admitted", "first"));
      List<Future<?>> deleted = new ArrayList<>();
      for (int i = 0; i < WORKLOADS; i++) {
        String name = "brief-" + i;
        Kueue.create(CLUSTER.api(), WORKLOAD, name, Kueue.workload("brief", 1)).orThrow();
        Runnable delete = () -> CLUSTER.api().delete(path(WORKLOAD, name)).orThrow();
        deleted.add(deleter.schedule(delete, random.nextInt(1_000), TimeUnit.MILLISECONDS));
      }
      for (Future<?> one : deleted) {
        one.get();
      }
      CLUSTER.api().delete(path(WORKLOAD, "first")).orThrow();

      leave("brief");

      assertThat(scheduler.err()).doesNotContain("audit:");
      SchedulerBeside.stop(scheduler);
    }
  }
}
