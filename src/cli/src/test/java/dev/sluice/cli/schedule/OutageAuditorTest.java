package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cli.schedule.OutageAuditor.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The auditor of the outages of several clusters is judged by short histories of one Job. */
class OutageAuditorTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String ENDED =
      "\"conditions\":[{\"type\":\"Complete\",\"status\":\"True\"}]";

  private final Set<String> running = new HashSet<>();
  private Instant now = Instant.EPOCH;
  private int version;
  private final OutageAuditor auditor =
      new OutageAuditor((Place it) -> running.contains(it.worker()), () -> now);

  private JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private void job(String worker, boolean isSuspended, String status, boolean isGone) {
    now = now.plusSeconds(1);
    version++;
    auditor.there(
        worker,
        "/apis/batch/v1/jobs",
        json(
            """
            {"metadata":{"name":"job-1","uid":"%s","resourceVersion":"%d","labels":{
            "kueue.x-k8s.io/multikueue-origin":"multikueue"}},"spec":{"suspend":%s},
            "status":{%s}}\
            """
                .formatted(worker, version, isSuspended, status)),
        isGone);
  }

  private void podRuns(String worker, String name) {
    running.add(worker);
    version++;
    auditor.there(
        worker,
        "/api/v1/pods",
        json(
            """
            {"metadata":{"name":"%s","uid":"%s-%s","resourceVersion":"%d","labels":{
            "kueue.x-k8s.io/multikueue-origin":"multikueue"}},"spec":{}}\
            """
                .formatted(name, worker, name, version)),
        false);
  }

  private void runs(String worker) {
    running.add(worker);
    job(worker, false, "", false);
  }

  private void ends(String worker) {
    running.remove(worker);
    job(worker, false, ENDED, false);
  }

  private void goes(String worker) {
    running.remove(worker);
    job(worker, false, "", true);
  }

  private void workload(String uid, String cluster, String... conditions) {
    now = now.plusSeconds(1);
    version++;
    StringBuilder all = new StringBuilder();
    for (String condition : conditions) {
      all.append(all.isEmpty() ? "" : ",")
          .append("{\"type\":\"%s\",\"status\":\"True\"}".formatted(condition));
    }
    auditor.here(
        json(
            """
            {"metadata":{"name":"job-job-1-abcde","uid":"%s","resourceVersion":"%d"},
            "status":{"clusterName":"%s","conditions":[%s]}}\
            """
                .formatted(uid, version, cluster, all)),
        false);
  }

  @Test
  void aJobThatRunsOnceAndIsFinishedOnceIsRight() {
    workload("w", "", "QuotaReserved");
    runs("a");
    workload("w", "a", "QuotaReserved", "Admitted");
    ends("a");
    workload("w", "a", "QuotaReserved", "Finished");
    goes("a");

    assertThat(auditor.breaches()).isEmpty();
    assertThat(auditor.finished()).isEqualTo(1);
  }

  @Test
  void twoPlacesAtOnceAreABreach() {
    runs("a");
    runs("b");

    assertThat(auditor.breaches()).singleElement().asString().contains("still runs");
  }

  @Test
  void aSecondPlaceAfterTheFirstHasEndedIsABreach() {
    runs("a");
    ends("a");
    goes("a");
    runs("b");

    assertThat(auditor.breaches()).hasSize(1);
  }

  @Test
  void aPlaceThatWasOutOfReachBeforeItWasRecordedExcusesTheSecondOne() {
    runs("a");
    auditor.away("a");
    runs("b");

    assertThat(auditor.breaches()).isEmpty();
    assertThat(auditor.twice()).isEqualTo(1);
  }

  @Test
  void aGroupThatBeganOnAWorkerGoesOnThereWithItsOtherPod() {
    podRuns("a", "group-1-0");
    auditor.away("a");
    podRuns("b", "group-1-0");
    workload("w", "b", "QuotaReserved", "Admitted");
    podRuns("a", "group-1-1");

    assertThat(auditor.breaches()).isEmpty();
    assertThat(auditor.twice()).isEqualTo(1);
  }

  @Test
  void aGroupThatBeginsElsewhereAfterItWasRecordedIsABreach() {
    podRuns("b", "group-1-0");
    workload("w", "b", "QuotaReserved", "Admitted");
    podRuns("a", "group-1-1");

    assertThat(auditor.breaches()).hasSize(1);
  }

  @Test
  void aPlaceThatWasRecordedIsNotLeftForAShortAbsence() {
    runs("a");
    workload("w", "a", "QuotaReserved", "Admitted");
    auditor.away("a");
    runs("b");

    assertThat(auditor.breaches()).hasSize(1);
  }

  @Test
  void anAbsenceThatWasOverLongBeforeExcusesNothing() {
    auditor.away("a");
    auditor.back("a");
    now = now.plus(OutageAuditor.GRACE).plus(Duration.ofMinutes(1));
    runs("a");
    runs("b");

    assertThat(auditor.breaches()).hasSize(1);
  }

  @Test
  void aWorkerIsAwayAsLongAsOneCauseIsLeft() {
    auditor.away("a");
    auditor.away("a");
    auditor.back("a");
    now = now.plus(Duration.ofHours(1));
    runs("a");
    runs("b");

    assertThat(auditor.breaches()).isEmpty();
  }

  @Test
  void quotaThatIsFreeWhileTheJobRunsIsABreach() {
    workload("w", "a", "QuotaReserved", "Admitted");
    runs("a");
    workload("w", "", "Evicted");

    assertThat(auditor.breaches()).singleElement().asString().contains("its quota is free");
  }

  @Test
  void aClusterIsOnlyChangedByWayOfNone() {
    workload("w", "a", "QuotaReserved");
    workload("w", "b", "QuotaReserved");

    assertThat(auditor.breaches()).singleElement().asString().contains("from a to b at once");
  }

  @Test
  void anEndIsOneAndStays() {
    workload("w", "a", "Finished");
    workload("w", "a");
    workload("again", "a", "Finished");

    assertThat(auditor.breaches()).hasSize(2);
  }

  @Test
  void anOlderRevisionIsKnownAlready() {
    runs("a");
    int before = version;
    goes("a");
    version = before - 1;
    job("a", false, "", false);
    runs("b");

    assertThat(auditor.breaches()).singleElement().asString().contains("was let run");
  }

  @Test
  void aPlaceThatNoListShowsHasGone() {
    runs("a");
    auditor.gone("a", auditor.running("a", "/apis/batch/v1/jobs"));

    assertThat(auditor.running("a", "/apis/batch/v1/jobs")).isEmpty();
  }
}
