package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A write that a leader sent before it lost the lead arrives after the next leader has acted. It
 * doubles nothing and takes back nothing.
 */
@FullTier
@Timeout(240)
class FormerLeaderTest {
  private static final String WORKLOAD = Clusters.WORKLOADS + "/j";
  private static final String JOB = Clusters.JOBS + "/j";

  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aManagerWithTwoWorkers() {
    fleet = new InMemoryFleet(folder);
    fleet.startConnected("a", "b");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private static void until(Callable<Boolean> condition) {
    await().atMost(InMemoryFleet.AMPLE).until(condition);
  }

  /** The first call of that beginning, which is held up on its way to a server. */
  private static final class LateCall {
    private final MemoryApiServer server;
    private final String beginning;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private final CountDownLatch sent = new CountDownLatch(1);
    private final CountDownLatch arrives = new CountDownLatch(1);

    LateCall(MemoryApiServer server, String beginning) {
      this.server = server;
      this.beginning = beginning;
      server.with(this::on);
    }

    private Optional<Answer> on(String call) {
      if (call.startsWith(beginning) && isTaken.compareAndSet(false, true)) {
        sent.countDown();
        try {
          arrives.await();
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt(); // the test is over
        }
      }
      return Optional.empty();
    }

    boolean isSent() {
      return sent.getCount() == 0;
    }

    void awaitSent() {
      until(this::isSent);
    }

    /** How many calls like this one were answered so. */
    private long answers(String status) {
      return server.answers().stream()
          .filter(it -> it.startsWith(status + " " + beginning))
          .count();
    }

    /** It arrives, and is answered with that status. */
    void arrives(String status) {
      long before = answers(status);
      arrives.countDown();
      until(() -> answers(status) > before);
    }
  }

  private LateCall late(String worker, String beginning) {
    return new LateCall(fleet.worker(worker), beginning);
  }

  private JsonNode there(String worker, String path) {
    return fleet.worker(worker).objects().find(path).orElseThrow();
  }

  private boolean isAwayFromWorkers() {
    return List.of("a", "b").stream()
        .noneMatch(it -> fleet.has(it, WORKLOAD) || fleet.has(it, JOB));
  }

  private void runsOn(String worker) {
    fleet.awaitCopy("a", "j");
    fleet.awaitCopy("b", "j");
    fleet.admit(worker, "j");
    fleet.runs(worker, "j");
  }

  /** After an eviction, the copies are stopped and deleted, and the Workload is offered again. */
  private void offeredAgain() {
    until(
        () -> {
          Schedulers.stop(fleet, "a", "j");
          return isAwayFromWorkers();
        });
    Schedulers.requeue(fleet, "j");
    fleet.awaitCopy("a", "j");
    fleet.awaitCopy("b", "j");
  }

  @Test
  void aLateCreateOfACopyFindsThatOfTheNextLeader() {
    LateCall late = late("a", "POST " + Clusters.WORKLOADS);
    fleet.job("j");
    late.awaitSent();
    fleet.handOver();
    fleet.awaitCopy("a", "j");
    JsonNode copy = there("a", WORKLOAD);

    late.arrives("409");

    assertThat(there("a", WORKLOAD)).isEqualTo(copy);
    runsOn("a");
  }

  @Test
  void aLateCreateForAWorkloadThatIsGoneIsSweptAway() {
    LateCall late = late("a", "POST " + Clusters.WORKLOADS);
    fleet.job("j");
    late.awaitSent();
    fleet.handOver();
    fleet.clusters.manager.objects().remove(JOB);
    fleet.clusters.manager.objects().remove(WORKLOAD);
    until(this::isAwayFromWorkers);
    int deletions = fleet.worker("a").deletions().size();

    late.arrives("201");

    until(() -> fleet.worker("a").deletions().size() > deletions && isAwayFromWorkers());
    assertThat(fleet.worker("a").deletions())
        .allMatch(it -> it.contains("\"Background\"") && it.contains("\"uid\""));
  }

  @Test
  void aLateJobIsTakenAwayWithoutAStartWhenTheWorkloadHasMovedOn() {
    LateCall late = late("a", "POST " + Clusters.JOBS);
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.awaitCopy("b", "j");
    fleet.admit("a", "j");
    late.awaitSent();
    fleet.handOver();
    fleet.runs("a", "j");
    Schedulers.takeQuota(fleet, "j");
    offeredAgain();
    runsOn("b");
    until(() -> !fleet.has("a", WORKLOAD));
    JsonNode running = there("b", JOB);

    late.arrives("201");

    until(() -> !fleet.has("a", JOB));
    assertThat(there("b", JOB)).isEqualTo(running);
    assertThat(fleet.workload("j").at("/status/clusterName").asText()).isEqualTo("b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE " + WORKLOAD, "DELETE " + JOB, "PATCH " + WORKLOAD + "/status"})
  void aLateEndOfOneDispatchLeavesTheNextOneAlone(String call) {
    fleet.job("j");
    runsOn("a");
    LateCall late = late("a", call);
    Schedulers.takeQuota(fleet, "j");
    until(
        () -> {
          Schedulers.stop(fleet, "a", "j");
          return late.isSent();
        });
    fleet.handOver();
    offeredAgain();
    runsOn("a");
    JsonNode copy = there("a", WORKLOAD);
    JsonNode job = there("a", JOB);

    late.arrives("409");

    assertThat(there("a", WORKLOAD)).isEqualTo(copy);
    assertThat(there("a", JOB)).isEqualTo(job);
  }

  @Test
  void aLateChoiceOfAClusterIsRefused() {
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.awaitCopy("b", "j");
    LateCall late = new LateCall(fleet.clusters.manager, "PATCH " + WORKLOAD + "/status");
    fleet.admit("a", "j");
    late.awaitSent();
    fleet.handOver();
    fleet.runs("a", "j");
    Schedulers.takeQuota(fleet, "j");
    offeredAgain();
    runsOn("b");

    late.arrives("409");

    assertThat(fleet.workload("j").at("/status/clusterName").asText()).isEqualTo("b");
    until(() -> !fleet.has("a", WORKLOAD) && !fleet.has("a", JOB));
    assertThat(fleet.has("b", JOB)).isTrue();
  }
}
