package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Detour;
import dev.sluice.cli.testcluster.Detour.Call;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.cluster.api.Connection;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.scheduler.write.Sender;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Requests that are delayed between scheduler and API server: no answer arrives, and some are
 * carried out long after the scheduler has given up. The API server could then store two
 * reservations where only one fits, since each is valid for its own Workload.
 */
@FullTier
@NeedsControlPlane
@Timeout(600)
class LateWriteE2E {
  private static final Optional<Detour.Answer> LOST =
      Optional.of(new Detour.Answer(0, Map.of(), ""));

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER = new SchedulerBeside(CLUSTER, "");

  private final List<Call> stuck = new CopyOnWriteArrayList<>();
  private final AtomicBoolean blocked = new AtomicBoolean(true);

  private Optional<Detour.Answer> lose(Call call, String workload) {
    if (blocked.get() && call.is("PATCH " + path(workload) + "/status")) {
      stuck.add(call);
      return LOST;
    }
    return Optional.empty();
  }

  private static String path(String workload) {
    return Kueue.path(WORKLOAD, HUB, workload);
  }

  /** With quota for one. */
  private static void queue(String name) {
    queue(name, Kueue.clusterQueue(name, 4));
  }

  private static void queue(String name, String clusterQueue) {
    Kueue.create(CLUSTER.api(), RESOURCE_FLAVOR, name, "{}").orThrow();
    Kueue.create(CLUSTER.api(), CLUSTER_QUEUE, name, clusterQueue).orThrow();
    Kueue.create(CLUSTER.api(), LOCAL_QUEUE, name, Kueue.localQueue(name)).orThrow();
  }

  private static boolean has(String condition, String workload) {
    return ApiClient.hasCondition(CLUSTER.api().get(path(workload)).orThrow().json(), condition);
  }

  /**
   * Delays the write of the first one's reservation; then creates a Workload that is ordered before
   * it.
   */
  private SluiceProcess giveUp(Detour detour, String first, String urgent) throws IOException {
    String queue = "queue-of-" + first;
    queue(queue);
    SluiceProcess scheduler = SCHEDULER.start(detour.kubeconfig(CLUSTER.folder()));

    Kueue.create(CLUSTER.api(), WORKLOAD, first, Kueue.workload(queue, 4)).orThrow();
    SCHEDULER.await("the first is decided on", () -> !stuck.isEmpty());
    String important = Kueue.workload(queue, 4).replaceFirst("\\{", "{\"priority\":1000,");
    Kueue.create(CLUSTER.api(), WORKLOAD, urgent, important).orThrow();
    SCHEDULER.await(
        "its reservation is given up",
        () -> scheduler.err().contains("no answer says whether") || has("QuotaReserved", urgent));
    return scheduler;
  }

  @Test
  void whatMayStillBeStoredKeepsItsQuotaSoThatNothingIsGivenTwice()
      throws IOException, InterruptedException {
    try (Detour detour = Detour.to(CLUSTER.api()).with(call -> lose(call, "slow"));
        SluiceProcess scheduler = giveUp(detour, "slow", "urgent")) {
      assertThat(has("QuotaReserved", "urgent")).as("given away").isFalse();

      detour.forward(stuck.getFirst()).orThrow(); // carried out late
      blocked.set(false);

      SCHEDULER.await("it is seen", () -> has("Admitted", "slow"));
      assertThat(has("QuotaReserved", "urgent")).as("there is quota for one").isFalse();

      Kueue.finish(CLUSTER.api(), "slow");
      SCHEDULER.await("the next one has it", () -> has("Admitted", "urgent"));
      SchedulerBeside.stop(scheduler);
    }
  }

  @Test
  void whatIsNeverStoredHoldsNoQuotaForGood() throws IOException, InterruptedException {
    try (Detour detour = Detour.to(CLUSTER.api()).with(call -> lose(call, "lost"));
        SluiceProcess scheduler = giveUp(detour, "lost", "pressing")) {
      SCHEDULER.await("the next one has it", () -> has("Admitted", "pressing"));
      blocked.set(false);

      Kueue.finish(CLUSTER.api(), "pressing");
      SCHEDULER.await("and then the first", () -> has("Admitted", "lost"));
      SchedulerBeside.stop(scheduler);
    }
  }

  @Test
  void whoseReservationIsAConflictAgainAndAgainIsToldAndAdmittedOnceItIsNot()
      throws IOException, InterruptedException {
    Optional<Detour.Answer> fence =
        Optional.of(new Detour.Answer(409, Map.of(), "{\"message\":\"1 of cpu is left\"}"));
    String status = "PATCH " + path("contested") + "/status";
    AtomicBoolean fenced = new AtomicBoolean(true);
    queue("contested");
    try (Detour detour =
            Detour.to(CLUSTER.api())
                .with(call -> fenced.get() && call.is(status) ? fence : Optional.empty());
        SluiceProcess scheduler = SCHEDULER.start(detour.kubeconfig(CLUSTER.folder()))) {
      Kueue.create(CLUSTER.api(), WORKLOAD, "contested", Kueue.workload("contested", 4)).orThrow();
      SCHEDULER.await("an event says so", () -> !warningsOf("contested").isEmpty());

      assertThat(warningsOf("contested"))
          .containsExactly("Its reservation is refused again and again: 1 of cpu is left");

      fenced.set(false);
      SCHEDULER.await("it is admitted", () -> has("Admitted", "contested"));
      SchedulerBeside.stop(scheduler);
    }
  }

  @Test
  void aSliceEndsOnlyOnceTheOneThatTakesItsPlaceHasQuota()
      throws IOException, InterruptedException {
    String status = "PATCH " + path("grown") + "/status";
    AtomicBoolean refused = new AtomicBoolean(true);
    List<Call> tries = new CopyOnWriteArrayList<>();
    Optional<Detour.Answer> conflict =
        Optional.of(new Detour.Answer(409, Map.of(), "{\"message\":\"not now\"}"));
    queue("slices");
    try (Detour detour =
            Detour.to(CLUSTER.api())
                .with(
                    call ->
                        refused.get() && call.is(status) && tries.add(call)
                            ? conflict
                            : Optional.empty());
        SluiceProcess scheduler = SCHEDULER.start(detour.kubeconfig(CLUSTER.folder()))) {
      Kueue.create(CLUSTER.api(), WORKLOAD, "small", Kueue.workload("slices", 2)).orThrow();
      SCHEDULER.await("the small one runs", () -> has("Admitted", "small"));

      CLUSTER
          .api()
          .create(
              Kueue.collection(WORKLOAD, HUB),
              Kueue.object(WORKLOAD, HUB, "grown", "\"spec\":" + Kueue.workload("slices", 4))
                  .replace(
                      "\"metadata\":{",
                      "\"metadata\":{\"annotations\":{"
                          + "\"kueue.x-k8s.io/workload-slice-replacement-for\":"
                          + "\"default/small\"},"))
          .orThrow();
      SCHEDULER.await("it was tried for two rounds", () -> tries.size() > 5);
      assertThat(has("Finished", "small")).as("its successor has nothing").isFalse();

      refused.set(false);
      SCHEDULER.await("the grown one has quota", () -> has("QuotaReserved", "grown"));
      SCHEDULER.await("the small one has ended", () -> has("Finished", "small"));
      SchedulerBeside.stop(scheduler);
    }
  }

  @Test
  void anEvictionThatFindsALaterVersionIsNotSentAgainBeforeThatIsSeenOrASecondIsOver()
      throws IOException, InterruptedException {
    String status = "PATCH " + path("yielding") + "/status";
    List<Long> tries = new CopyOnWriteArrayList<>();
    Optional<Detour.Answer> conflict =
        Optional.of(new Detour.Answer(409, Map.of(), "{\"message\":\"it has changed\"}"));
    queue(
        "yields",
        Kueue.clusterQueue("yields", 4)
            .replaceFirst("\\{", "{\"preemption\":{\"withinClusterQueue\":\"LowerPriority\"},"));
    try (Detour detour =
            Detour.to(CLUSTER.api())
                .with(
                    call ->
                        call.is(status)
                                && call.body().contains("Evicted")
                                && tries.add(System.nanoTime())
                                && tries.size() == 1
                            ? conflict
                            : Optional.empty());
        SluiceProcess scheduler = SCHEDULER.start(detour.kubeconfig(CLUSTER.folder()))) {
      Kueue.create(CLUSTER.api(), WORKLOAD, "yielding", Kueue.workload("yields", 4)).orThrow();
      SCHEDULER.await("the first one runs", () -> has("Admitted", "yielding"));

      String important = Kueue.workload("yields", 4).replaceFirst("\\{", "{\"priority\":1000,");
      Kueue.create(CLUSTER.api(), WORKLOAD, "important", important).orThrow();
      SCHEDULER.await("it gives way", () -> has("Evicted", "yielding"));

      assertThat(Duration.ofNanos(tries.get(1) - tries.get(0)))
          .isGreaterThanOrEqualTo(Duration.ofMillis(900));
      SchedulerBeside.stop(scheduler);
    }
  }

  /** Who holds the Lease; empty for nobody. */
  private static List<String> holders() {
    return CLUSTER
        .api()
        .get("/apis/coordination.k8s.io/v1/leases")
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(it -> it.at("/metadata/name").asText().endsWith(".kueue.x-k8s.io"))
        .map(it -> it.at("/spec/holderIdentity").asText())
        .filter(it -> !it.isEmpty())
        .toList();
  }

  @Test
  void whoEndsWhileItsReservationMayStillBeStoredLetsItsLeaseRunOut()
      throws IOException, InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    queue("ends");
    try (Detour detour =
            Detour.to(CLUSTER.api())
                .with(
                    call -> {
                      Optional<Detour.Answer> lost = lose(call, "last");
                      lost.ifPresent(_ -> await(over));
                      return lost;
                    });
        SluiceProcess scheduler = SCHEDULER.start(detour.kubeconfig(CLUSTER.folder()))) {
      Kueue.create(CLUSTER.api(), WORKLOAD, "last", Kueue.workload("ends", 4)).orThrow();
      SCHEDULER.await("it is decided on", () -> !stuck.isEmpty());
      assertThat(holders()).hasSize(1);

      SchedulerBeside.stop(scheduler);

      assertThat(holders()).as("the next leader waits").hasSize(1);
      over.countDown();
    }
  }

  @Test
  void whoEndsWithNothingUnderWayReleasesItsLease() throws IOException, InterruptedException {
    queue("calm");
    try (SluiceProcess scheduler = SCHEDULER.start()) {
      Kueue.create(CLUSTER.api(), WORKLOAD, "stored", Kueue.workload("calm", 4)).orThrow();
      SCHEDULER.await("it is stored", () -> has("Admitted", "stored"));

      SchedulerBeside.stop(scheduler);

      assertThat(holders()).isEmpty();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      var _ = latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the test is over
    }
  }

  private static List<String> warningsOf(String workload) {
    return CLUSTER
        .api()
        .get("/apis/events.k8s.io/v1/namespaces/default/events")
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(
            it ->
                it.at("/regarding/name").asText().equals(workload)
                    && it.path("reason").asText().equals("FailedUpdate"))
        .map(it -> it.path("note").asText())
        .toList();
  }

  /** A change of some Workload, by a way on which the first attempt gets no answer. */
  private static WriteResult send(Detour.Answer second, BooleanSupplier leads) {
    AtomicInteger attempts = new AtomicInteger();
    try (Detour detour =
            Detour.to(CLUSTER.api())
                .with(_ -> attempts.incrementAndGet() == 1 ? LOST : Optional.of(second));
        Connection connection = Connection.to(detour.kubeconfig(CLUSTER.folder()))) {
      ObjectRef some = new ObjectRef(WORKLOAD.hub(), "default", "some", "");
      ObjectNode change = JsonNodeFactory.instance.objectNode();
      return new Sender(connection, leads, _ -> {}, (_, _, _) -> {})
          .send(new Write.MergePatch(some, "status", change, "sluice", "7"));
    }
  }

  @Test
  void aRefusalSaysNothingOfTheAttemptBeforeIt() {
    Detour.Answer refusal = new Detour.Answer(422, Map.of(), "{\"message\":\"no\"}");

    assertThat(send(refusal, () -> true)).isInstanceOf(WriteResult.Unanswered.class);
  }

  @Test
  void whoDoesNotLeadAnyMoreHasNotHeardOfWhatHeSentBefore() {
    AtomicInteger asked = new AtomicInteger();

    assertThat(send(new Detour.Answer(200, Map.of(), "{}"), () -> asked.incrementAndGet() == 1))
        .isInstanceOf(WriteResult.Unanswered.class);
  }
}
