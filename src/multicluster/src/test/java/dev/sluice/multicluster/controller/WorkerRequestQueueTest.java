package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.multicluster.apiserver.MemoryObjects;
import dev.sluice.multicluster.protocol.Plan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class WorkerRequestQueueTest {
  private static final Duration AMPLE = Duration.ofSeconds(30);
  static final GroupVersionKind JOB = new GroupVersionKind("batch", "v1", "Job");

  @TempDir private Path folder;
  private Clusters clusters;
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();

  @BeforeEach
  void aManager() {
    clusters = new Clusters(folder);
  }

  @AfterEach
  void itEnds() {
    clusters.close();
  }

  private static TypedObjectKey key(String name) {
    return new TypedObjectKey(JOB.groupKind(), "ns", name);
  }

  private static Write create(String name) {
    return new Write.Create(
        new ObjectRef(JOB, "ns", name, ""), MemoryObjects.tree(Clusters.copy(name, "us")), "test");
  }

  private RequestBatch batch(String key, Set<Plan.Ask> asks, boolean isValid, Write... writes) {
    return new RequestBatch(
        key(key),
        asks,
        List.of(writes),
        () -> isValid,
        _ -> sent.incrementAndGet(),
        ended::incrementAndGet);
  }

  private RequestBatch creating(String name) {
    return batch(name, Set.of(), true, create(name));
  }

  private void awaitEnds(int count) {
    await().atMost(AMPLE).until(() -> ended.get() >= count);
  }

  private double requests(String result) {
    var counter = clusters.registry.find("sluice.worker.requests").tag("result", result).counter();
    return counter == null ? 0 : counter.count();
  }

  @Test
  void questionsComeBeforeWritesAndTheNextPlanAfterBoth() {
    Clusters.WorkerSide worker = clusters.worker("a");
    Plan.Ask ask = new Plan.Ask("a", JOB, "ns", "j");

    assertThat(clusters.requestQueues.of("a").offer(batch("j", Set.of(ask), true, create("j"))))
        .isEmpty();

    awaitEnds(1);
    assertThat(worker.server().calls())
        .filteredOn(it -> it.contains("/namespaces/ns/jobs"))
        .map(it -> it.substring(0, it.indexOf(' ')))
        .containsExactly("GET", "POST");
    assertThat(sent).hasValue(1);
    assertThat(requests("done")).isEqualTo(2);
    assertThat(clusters.requestQueues.of("a").isIdle()).isTrue();
  }

  @Test
  void aPlanThatDoesNotHoldAnyMoreIsNotSent() {
    Clusters.WorkerSide worker = clusters.worker("a");

    clusters.requestQueues.of("a").offer(batch("j", Set.of(), false, create("j")));

    awaitEnds(1);
    assertThat(worker.server().calls("POST")).isEmpty();
    assertThat(sent).hasValue(0);
  }

  @Test
  void theFirstWriteThatFailsEndsTheBatchAndItsReasonIsKept() {
    Clusters.WorkerSide worker = clusters.worker("a");
    worker.server().answer("POST ", Answer.of(403, "no"));
    long now = System.nanoTime();
    try (var queue = // with a clock that stands still
        new WorkerRequestQueue(
            "a", clusters.workers, () -> true, _ -> {}, () -> now, clusters.supervisor)) {

      queue.offer(batch("j", Set.of(), true, create("j"), create("k")));

      awaitEnds(1);
      assertThat(worker.server().calls("POST")).hasSize(1);
      assertThat(queue.refusal(key("j")).orElseThrow().text())
          .isEqualTo("create jobs.batch refused: no");
      assertThat(queue.offer(creating("j"))).as("not before a pause").isPresent();
      queue.forget(key("j"));
      assertThat(queue.refusal(key("j"))).isEmpty();
    }
  }

  @Test
  void aWorkerThatAsksForItGetsNoRequestForAnyObjectUntilThen() {
    Clusters.WorkerSide worker = clusters.worker("a");
    worker
        .server()
        .answer("POST ", new Answer(429, Map.of("Retry-After", "1"), "{\"message\":\"busy\"}"));
    WorkerRequestQueue queue = clusters.requestQueues.of("a");
    queue.offer(creating("j"));
    awaitEnds(1);
    Instant refused = Instant.now();
    worker.server().mend();

    queue.offer(creating("k"));

    awaitEnds(2);
    assertThat(Duration.between(refused, Instant.now()))
        .isGreaterThan(Duration.ofMillis(900)); // it was refused a moment before
    assertThat(worker.has(Clusters.JOBS + "/k")).isTrue();
  }

  @Test
  void aWorkerThatNeverAnswersHoldsUpNobodyElse() {
    MemoryApiServer hole = new MemoryApiServer();
    hole.answer("POST ", new Answer(0, Map.of(), ""));
    clusters.worker("hole", hole);
    Clusters.WorkerSide well = clusters.worker("well");
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      names.add("j" + i);
    }

    names.forEach(it -> clusters.requestQueues.of("hole").offer(creating(it)));
    await().atMost(AMPLE).until(() -> !hole.calls("POST").isEmpty());
    names.forEach(it -> clusters.requestQueues.of("well").offer(creating(it)));

    await().atMost(AMPLE).until(() -> well.server().objects().count("/apis/batch/v1/jobs") == 40);
    assertThat(hole.calls("POST").size()).as("in flight at a time").isLessThanOrEqualTo(32);
    assertThat(clusters.requestQueues.of("hole").isIdle()).isFalse();
  }

  @Test
  void afterFiveFailuresInARowItIsOnlyTriedNowAndThen() {
    Clusters.WorkerSide worker = clusters.worker("a");
    worker.server().answer("POST ", Answer.of(503, "down"));
    WorkerRequestQueue queue = clusters.requestQueues.of("a");
    for (int i = 0; i < 5; i++) {
      queue.offer(creating("j" + i));
      awaitEnds(i + 1);
    }
    assertThat(queue.isBroken()).isTrue();
    assertThat(requests("unanswered")).isEqualTo(5);
    worker.server().mend();

    queue.offer(creating("k"));

    awaitEnds(6);
    assertThat(queue.isBroken()).isFalse();
  }

  @Test
  void aWorkerThatIsAwayGetsNothingAndNothingIsKeptForIt() {
    clusters.worker("a");
    clusters.lose("a", Instant.now());
    WorkerRequestQueue queue = clusters.requestQueues.of("a");

    queue.offer(creating("j"));

    await().atMost(AMPLE).until(queue::isIdle);
    assertThat(queue.refusal(key("j"))).isEmpty();
    assertThat(sent).hasValue(0);
    assertThat(Optional.of(queue.size())).contains(0);
  }
}
