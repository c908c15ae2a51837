package dev.sluice.cli.apiserver;

import static dev.sluice.api.ApiVersion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What admission knows of quotas, as clients of an API server see it. */
@FullTier
@NeedsDevCluster
class QuotaE2E {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  private ApiClient api;

  @BeforeEach
  void connect(DevCluster cluster) {
    api = cluster.controlPlane().client();
  }

  private void queue(String name, int cpu) {
    Kueue.create(api, ApiKind.CLUSTER_QUEUE, name, clusterQueue(cpu)).orThrow();
    Kueue.create(api, ApiKind.LOCAL_QUEUE, name, Kueue.localQueue(name)).orThrow();
  }

  private static String clusterQueue(int cpu) {
    return Kueue.clusterQueue("quota-f", cpu);
  }

  private ApiClient.Response workload(String name, String queue, int cpu) {
    return workload("", name, queue, cpu);
  }

  private ApiClient.Response workload(String query, String name, String queue, int cpu) {
    return api.create(
        Kueue.collection(ApiKind.WORKLOAD, V1BETA2) + query,
        Kueue.object(ApiKind.WORKLOAD, V1BETA2, name, "\"spec\":" + Kueue.workload(queue, cpu)));
  }

  private ApiClient.Response reserve(String name, String queue, int cpu) {
    return reserve("", name, queue, cpu);
  }

  private ApiClient.Response reserve(String query, String name, String queue, int cpu) {
    return api.mergePatch(
        Kueue.path(ApiKind.WORKLOAD, V1BETA2, name) + "/status" + query,
        """
        {"status":{"admission":{"clusterQueue":"%s","podSetAssignments":[{"name":"main","count":1,
        "flavors":{"cpu":"quota-f"},"resourceUsage":{"cpu":"%d"}}]},"conditions":[{
        "type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"",
        "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
        """
            .formatted(queue, cpu));
  }

  /** The view of the server may be a moment behind. */
  private void awaitWarning(String text, Supplier<ApiClient.Response> call) {
    String[] seen = {""};
    boolean came =
        Poll.until(
            SOON,
            PAUSE,
            () -> {
              seen[0] = String.join("\n", call.get().warnings());
              return seen[0].contains(text);
            });
    assertThat(came).as(seen[0]).isTrue();
  }

  @Test
  void warnsOfWhatCanNeverBeAdmittedWithNumbers() {
    queue("quota-small", 3);
    String job =
        """
        {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"quota-large","labels":{
        "kueue.x-k8s.io/queue-name":"quota-small"}},"spec":{"parallelism":4,"completions":4,
        "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i",
        "resources":{"requests":{"cpu":"1"}}}]}}}}\
        """;

    awaitWarning(
        "spec.template: the job is never to be admitted: 4 of cpu in flavor quota-f is more than"
            + " ClusterQueue quota-small can ever have, 3",
        () -> api.create(JOBS + "?dryRun=All", job));

    ApiClient.Response large = workload("quota-large", "quota-small", 4).orThrow();
    assertThat(large.warnings())
        .anyMatch(it -> it.startsWith("spec.podSets[0]: never to be admitted: 4 of cpu"));
    assertThat(workload("quota-fits", "quota-small", 3).orThrow().warnings()).isEmpty();
  }

  @Test
  void warnsOfAnEditOfAQuotaWithTheNamesOfThoseItWouldHit() {
    queue("quota-edited", 5);
    for (String name : new String[] {"quota-e1", "quota-e2"}) {
      workload(name, "quota-edited", 2).orThrow();
      reserve(name, "quota-edited", 2).orThrow();
    }
    String path = Kueue.path(ApiKind.CLUSTER_QUEUE, V1BETA2, "quota-edited") + "?dryRun=All";

    awaitWarning(
        "nominalQuota: less than the 4 in use: 3 must be borrowed or is taken back, first from"
            + " default/quota-e1 (2), default/quota-e2 (2)",
        () -> api.mergePatch(path, "{\"spec\":" + clusterQueue(1) + "}"));

    assertThat(api.mergePatch(path, "{\"spec\":{\"stopPolicy\":\"HoldAndDrain\"}}").warnings())
        .anyMatch(
            it ->
                it.equals(
                    "spec.stopPolicy: evicts all 2 workloads that have quota: default/quota-e1,"
                        + " default/quota-e2"));
    assertThat(api.mergePatch(path, "{\"spec\":" + clusterQueue(4) + "}").warnings())
        .noneMatch(it -> it.contains("in use"));
  }

  @Test
  void refusesAReservationBeyondQuotaAndOneThatAnotherWasFirstWith() {
    queue("quota-fenced", 3);
    for (String name : new String[] {"quota-f1", "quota-f2", "quota-f3"}) {
      workload(name, "quota-fenced", 2).orThrow();
    }
    awaitWarning("can ever have", () -> workload("?dryRun=All", "quota-f9", "quota-fenced", 9));
    awaitWhatIsSeen("quota-f1", "quota-fenced");
    awaitWhatIsSeen("quota-f2", "quota-fenced");

    ApiClient.Response tooMuch = reserve("quota-f1", "quota-fenced", 4);
    ApiClient.Response first = reserve("quota-f1", "quota-fenced", 2);
    ApiClient.Response second = reserve("quota-f2", "quota-fenced", 2);

    assertThat(tooMuch.status()).as(tooMuch.body()).isEqualTo(403);
    assertThat(message(tooMuch))
        .contains("is more than ClusterQueue quota-fenced can ever have, 3");
    assertThat(first.status()).as(first.body()).isEqualTo(200);
    assertThat(second.status()).as(second.body()).isEqualTo(409);
    assertThat(message(second))
        .contains("2 of cpu in flavor quota-f is not to be had in ClusterQueue quota-fenced")
        .contains("where 1 is left");
    assertThat(reserve("quota-f3", "quota-fenced", 1).status()).isEqualTo(200);
  }

  /** Numbers are told only of a Workload that the server sees. */
  private void awaitWhatIsSeen(String workload, String queue) {
    assertThat(
            Poll.until(
                SOON,
                PAUSE,
                () ->
                    message(reserve("?dryRun=All", workload, queue, 9)).contains("can ever have")))
        .as(workload)
        .isTrue();
  }

  private static String message(ApiClient.Response refused) {
    JsonNode status = refused.json();
    return status.path("message").asText();
  }
}
