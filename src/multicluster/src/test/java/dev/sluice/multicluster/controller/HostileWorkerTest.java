package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker is trusted for its answers only, and no answer harms its manager or other workers. */
@Timeout(240)
class HostileWorkerTest {
  /** What fits into a message of a condition. */
  private static final int MESSAGE = 32 << 10;

  private static final String JOB = "GET " + Clusters.JOBS + "/j";

  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aManagerWithTwoWorkers() {
    fleet = new InMemoryFleet(folder);
    fleet.start("a", "b");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private void connect() {
    fleet.connect("a", "b");
    fleet.awaitActive("a", "Connected");
    fleet.awaitActive("b", "Connected");
  }

  private void runsOnTheOther() {
    fleet.job("j");
    fleet.awaitCopy("b", "j");
    fleet.admit("b", "j");
    fleet.runs("b", "j");
  }

  private void awaitMessage(String cluster, String part) {
    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(() -> fleet.active(cluster).path("message").asText().contains(part));
  }

  /** All at once, as each of them is waited for. */
  @FullTier
  @Test
  void answersAboutAJobThatMakeNoSenseHoldNobodyBackAndLeadNowhere() {
    fleet.start("deep", "moved");
    try (MemoryApiServer elsewhere = new MemoryApiServer()) {
      String location = "http://127.0.0.1:" + elsewhere.port() + "/";
      fleet.connect("a", "b", "deep", "moved");
      List.of("a", "b", "deep", "moved").forEach(it -> fleet.awaitActive(it, "Connected"));
      fleet.worker("a").answer(JOB, Answer.ENDLESS);
      fleet.worker("deep").answer(JOB, new Answer(200, Map.of(), "[".repeat(10_000)));
      fleet.worker("moved").answer(JOB, new Answer(302, Map.of("Location", location), ""));

      runsOnTheOther();

      assertThat(fleet.worker("moved").calls(JOB)).isNotEmpty();
      assertThat(elsewhere.calls()).isEmpty();
    }
    for (String worker : List.of("a", "deep", "moved")) {
      assertThat(fleet.has(worker, Clusters.WORKLOADS + "/j")).as(worker).isFalse();
    }
  }

  @Test
  void aListWithoutEndIsCutOffAndTold() {
    fleet.worker("a").answer(InMemoryFleet.LISTS, Answer.ENDLESS);
    fleet.connect("a", "b");

    runsOnTheOther();

    awaitMessage("a", "answers of more than 64 MiB at once");
    fleet.worker("a").mend();
    fleet.awaitActive("a", "Connected");
  }

  @Test
  void aListThatIsNestedTenThousandDeepIsTold() {
    String deep = "{\"items\":" + "[".repeat(10_000);
    fleet.worker("a").answer(InMemoryFleet.LISTS, new Answer(200, Map.of(), deep));
    fleet.connect("a", "b");

    runsOnTheOther();

    assertThat(Conditions.isTrue(fleet.active("a"))).isFalse();
    awaitMessage("a", "cannot be read");
  }

  @Test
  void aReasonToWaitThatIsAMebibyteLongIsCut() {
    fleet.connect("a");
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    condition("QuotaReserved", "True");
    fleet
        .worker("a")
        .objects()
        .edit(
            Clusters.WORKLOADS + "/j",
            it ->
                it.withObjectProperty("status")
                    .putArray("admissionChecks")
                    .addObject()
                    .put("name", "theirs")
                    .put("state", "Pending")
                    .put("message", "x".repeat(1 << 20)));

    awaitWorkload(it -> it.at("/status/admissionChecks/0/message").asText().contains("xxx"));
    assertThat(fleet.checkMessage("j").length()).isLessThanOrEqualTo(MESSAGE);
  }

  @Test
  void anEndOfWhichTheMessageIsAMebibyteLongIsCut() {
    connect();
    fleet.job("j");
    fleet.awaitCopy("a", "j");
    fleet.admit("a", "j");
    fleet.runs("a", "j");
    condition("Finished", "True");

    awaitWorkload(it -> Conditions.find(it, "Finished").isPresent());
    String message =
        Conditions.find(fleet.workload("j"), "Finished").orElseThrow().path("message").asText();
    assertThat(message).startsWith("xxx");
    assertThat(message.length()).isLessThanOrEqualTo(MESSAGE);
  }

  private void awaitWorkload(Predicate<JsonNode> condition) {
    await().atMost(InMemoryFleet.AMPLE).until(() -> condition.test(fleet.workload("j")));
  }

  /** The worker says something that takes a mebibyte. */
  private void condition(String type, String status) {
    fleet
        .worker("a")
        .objects()
        .edit(
            Clusters.WORKLOADS + "/j",
            it ->
                it.withObjectProperty("status")
                    .withArrayProperty("conditions")
                    .addObject()
                    .put("type", type)
                    .put("status", status)
                    .put("reason", "Succeeded")
                    .put("message", "x".repeat(1 << 20))
                    .put("lastTransitionTime", "2026-11-24T10:00:00Z"));
  }
}
