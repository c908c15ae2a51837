package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An external check controller, which writes its own entries by server-side apply. */
@FullTier
@NeedsControlPlane
@Timeout(600)
class ExternalChecksE2E {
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER = new SchedulerBeside(CLUSTER, "");

  @BeforeAll
  static void aCheckAndAScheduler() throws IOException {
    create(RESOURCE_FLAVOR, "one", "{\"nodeLabels\":{\"pool\":\"one\"}}");
    create(RESOURCE_FLAVOR, "two", "{\"nodeLabels\":{\"pool\":\"two\"}}");
    create(ADMISSION_CHECK, "approval", "{\"controllerName\":\"example.com/approval\"}");
    api()
        .mergePatch(
            Kueue.path(ADMISSION_CHECK, HUB, "approval") + "/status",
            """
            {"status":{"conditions":[{"type":"Active","status":"True","reason":"Active",
            "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
            """)
        .orThrow();
    SCHEDULER.start();
  }

  @AfterAll
  static void theSchedulerEnds() throws InterruptedException {
    SCHEDULER.end();
  }

  private static ApiClient api() {
    return CLUSTER.api();
  }

  private static void create(ApiKind kind, String name, String spec) {
    Kueue.create(api(), kind, name, spec).orThrow();
  }

  /** A queue with so much of flavors one and two, whose check is for the flavors named. */
  private static void queue(String name, int one, int two, String onFlavors) {
    create(
        CLUSTER_QUEUE,
        name,
        """
        {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
        {"name":"one","resources":[{"name":"cpu","nominalQuota":%d}]},
        {"name":"two","resources":[{"name":"cpu","nominalQuota":%d}]}]}],
        "admissionChecksStrategy":{"admissionChecks":[{"name":"approval","onFlavors":[%s]}]}}\
        """
            .formatted(one, two, onFlavors));
    create(LOCAL_QUEUE, name, Kueue.localQueue(name));
  }

  private static void job(String name, String queue) {
    api()
        .create(
            JOBS,
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s","labels":{
            "kueue.x-k8s.io/queue-name":"%s"}},"spec":{"suspend":true,"template":{"spec":{
            "restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{
            "requests":{"cpu":"1"}}}]}}}}\
            """
                .formatted(name, queue))
        .orThrow();
  }

  private static JsonNode job(String name) {
    return api().get(JOBS + "/" + name).orThrow().json();
  }

  private static boolean runs(String job) {
    return !job(job).at("/spec/suspend").asBoolean();
  }

  private static JsonNode workload(String job) {
    return api()
        .get(Kueue.collection(WORKLOAD, HUB))
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(it -> it.at("/metadata/ownerReferences/0/name").asText().equals(job))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private static void await(String what, String job, Predicate<JsonNode> condition) {
    SCHEDULER.await(what, () -> condition.test(workload(job)), () -> workload(job).toString());
  }

  private static boolean waits(JsonNode workload) {
    return workload.at("/status/admissionChecks/0/state").asText().equals("Pending");
  }

  private static boolean reserved(JsonNode workload) {
    return ApiClient.hasCondition(workload, "QuotaReserved");
  }

  private static String evicted(JsonNode workload) {
    return workload
        .at("/status/conditions")
        .valueStream()
        .filter(it -> it.path("type").asText().equals("Evicted"))
        .map(it -> it.path("reason").asText())
        .findFirst()
        .orElse("");
  }

  private static void answer(String job, String state, String more) {
    String name = workload(job).at("/metadata/name").asText();
    String status =
        """
        "status":{"admissionChecks":[{"name":"approval","state":"%s","message":"so it is",
        "lastTransitionTime":"%s"%s}]}\
        """
            .formatted(state, Instant.now().toString(), more);
    api()
        .serverSideApply(
            Kueue.path(WORKLOAD, HUB, name) + "/status",
            "example.com/approval",
            Kueue.object(WORKLOAD, HUB, name, status))
        .orThrow();
  }

  @Test
  void aWorkloadThatIsRejectedBeforeItHasQuotaIsTakenOutAndMayComeBack() {
    queue("full", 0, 0, "");
    job("early", "full");
    await("it is asked about", "early", ExternalChecksE2E::waits);

    answer("early", "Rejected", "");
    await("it is taken out", "early", it -> !it.at("/spec/active").asBoolean(true));
    await("it says why", "early", it -> evicted(it).equals("DeactivatedDueToAdmissionCheck"));
    assertThat(runs("early")).isFalse();
    assertThat(reserved(workload("early"))).isFalse();

    String path = Kueue.path(WORKLOAD, HUB, workload("early").at("/metadata/name").asText());
    api().mergePatch(path, "{\"spec\":{\"active\":true}}").orThrow();
    api()
        .jsonPatch(
            Kueue.path(CLUSTER_QUEUE, HUB, "full"),
            """
            [{"op":"replace",
            "path":"/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota","value":"1"}]\
            """)
        .orThrow();
    await("it has quota", "early", ExternalChecksE2E::reserved);
    answer("early", "Ready", "");
    SCHEDULER.await("it runs", () -> runs("early"), () -> workload("early").toString());
  }

  @Test
  void aRetryGivesTheQuotaBackForAsLongAsTheCheckAsks() {
    queue("retrying", 1, 0, "");
    job("again", "retrying");
    await("it has quota", "again", it -> reserved(it) && waits(it));

    answer("again", "Retry", ",\"requeueAfterSeconds\":3");
    await("its quota is given back", "again", it -> !reserved(it));
    Instant until = Instant.parse(workload("again").at("/status/requeueState/requeueAt").asText());
    await("it has quota again", "again", ExternalChecksE2E::reserved);
    assertThat(Instant.now()).isAfterOrEqualTo(until);
    assertThat(workload("again").at("/status/admissionChecks/0/retryCount").asInt()).isOne();
    assertThat(waits(workload("again"))).isTrue();

    answer(
        "again",
        "Ready",
        """
        ,"podSetUpdates":[{"name":"main","labels":{"a":"1"},"nodeSelector":{"zone":"z"},
        "tolerations":[{"key":"k","operator":"Exists"}]}]\
        """);
    SCHEDULER.await("it runs", () -> runs("again"), () -> workload("again").toString());
    JsonNode template = job("again").at("/spec/template");
    assertThat(template.at("/metadata/labels/a").asText()).isEqualTo("1");
    assertThat(template.at("/spec/nodeSelector/zone").asText()).isEqualTo("z");
    assertThat(template.at("/spec/nodeSelector/pool").asText()).isEqualTo("one");
    assertThat(template.at("/spec/tolerations/0/key").asText()).isEqualTo("k");
  }

  @Test
  void aCheckForOneFlavorHoldsOnlyThoseThatGotIt() {
    queue("split", 1, 1, "\"two\"");
    job("free", "split");
    SCHEDULER.await("the first runs", () -> runs("free"), () -> workload("free").toString());
    assertThat(workload("free").at("/status/admissionChecks")).isEmpty();

    job("held", "split");
    await("the second is asked about", "held", it -> reserved(it) && waits(it));
    assertThat(runs("held")).isFalse();

    api()
        .mergePatch(
            Kueue.path(CLUSTER_QUEUE, HUB, "split"),
            "{\"spec\":{\"admissionChecksStrategy\":null}}")
        .orThrow();
    SCHEDULER.await(
        "it runs when its queue has the check no more",
        () -> runs("held"),
        () -> workload("held").toString());
    assertThat(workload("held").at("/status/admissionChecks")).isEmpty();
  }
}
