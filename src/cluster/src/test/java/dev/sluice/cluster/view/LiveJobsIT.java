package dev.sluice.cluster.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.ScriptedApiServer.Step;
import dev.sluice.rules.view.JobSource.JobWithPods;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the guard is told of a Job before it refuses a pod. */
@Timeout(60)
class LiveJobsIT {
  private static final Duration AMPLE = Duration.ofSeconds(30);
  private static final String PODS =
      """
      {"metadata":{},"items":[
        {"metadata":{"name":"own","ownerReferences":[{"uid":"u1","controller":true}]}},
        {"metadata":{"name":"labelled-only","ownerReferences":[{"uid":"u2","controller":true}]}}]}\
      """;

  @TempDir private Path folder;

  private List<String> asked = List.of();

  private static Step job(String uid, int succeeded) {
    return Step.answer(
        "{\"metadata\":{\"uid\":\"%s\"},\"status\":{\"succeeded\":%d}}".formatted(uid, succeeded));
  }

  private Optional<JobWithPods> read(Duration bound, Step... steps) throws IOException {
    try (ScriptedApiServer server = new ScriptedApiServer(steps);
        Connection connection = Connection.to(server.kubeconfig(folder))) {
      Optional<JobWithPods> read = new LiveJobs(connection).read("team-a", "job", "u1", bound);
      asked = server.asked();
      return read;
    }
  }

  private static int succeeded(JsonNode job) {
    return job.at("/status/succeeded").asInt();
  }

  @Test
  void readsTheJobItsPodsAndTheJobAgainInThisOrder() throws IOException {
    JobWithPods read = read(AMPLE, job("u1", 1), Step.answer(PODS), job("u1", 2)).orElseThrow();

    assertThat(succeeded(read.job())).isEqualTo(1);
    assertThat(succeeded(read.after())).isEqualTo(2);
    assertThat(asked).hasSize(3);
    assertThat(asked.get(0)).endsWith("/jobs/job");
    assertThat(asked.get(1)).contains("/pods?").contains("controller-uid%3Du1");
    assertThat(asked.get(2)).isEqualTo(asked.get(0));
  }

  @Test
  void countsThePodsTheJobControlsAndNoOthersWithItsLabel() throws IOException {
    JobWithPods read = read(AMPLE, job("u1", 0), Step.answer(PODS), job("u1", 0)).orElseThrow();

    assertThat(read.pods())
        .extracting(pod -> pod.at("/metadata/name").asText())
        .containsOnly("own");
  }

  @Test
  void aJobThatIsGoneOrAnotherOneBeforeOrAfterItsPodsWereReadHoldsNobodyBack() throws IOException {
    Step none = Step.refusal(404, "jobs.batch \\\"job\\\" not found");

    assertThat(isGone(none)).isTrue();
    assertThat(isGone(job("u2", 3))).isTrue();
    assertThat(isGone(job("u1", 0), Step.answer(PODS), none)).isTrue();
    assertThat(isGone(job("u1", 0), Step.answer(PODS), job("u2", 3))).isTrue();
  }

  private boolean isGone(Step... steps) throws IOException {
    JobWithPods read = read(AMPLE, steps).orElseThrow();
    return read.pods().isEmpty() && read.job().isEmpty() && read.after().isEmpty();
  }

  @Test
  void knowsNothingWhereTheApiServerRefusesOrThereAreMorePodsThanFitAPage() throws IOException {
    Step page = Step.answer("{\"metadata\":{\"continue\":\"more\"},\"items\":[]}");

    assertThat(read(AMPLE, Step.refusal(403, "forbidden"))).isEmpty();
    assertThat(read(AMPLE, Step.refusal(500, "etcd is away"))).isEmpty();
    assertThat(read(AMPLE, job("u1", 0), page)).isEmpty();
  }

  @Test
  void knowsNothingOnceItsTimeIsOver() throws IOException {
    assertThat(read(Duration.ofMillis(300), job("u1", 0), Step.stream("{\"items\":["))).isEmpty();
  }
}
