package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A policy of the cluster refuses what the scheduler has to write: who owns the Job is told. */
@FullTier
@NeedsControlPlane
@Timeout(600)
class RefusedWriteE2E {
  private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1/";
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String WORKLOADS = Kueue.collection(WORKLOAD, HUB);
  private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";
  private static final String DRY_RUN = "?dryRun=All";

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER = new SchedulerBeside(CLUSTER, "");

  @BeforeAll
  static void aQueueAndAScheduler() throws IOException {
    Kueue.create(api(), RESOURCE_FLAVOR, "rf", "{}").orThrow();
    Kueue.create(api(), CLUSTER_QUEUE, "cq", Kueue.clusterQueue("rf", 4)).orThrow();
    Kueue.create(api(), LOCAL_QUEUE, "lq", Kueue.localQueue("cq")).orThrow();
    SCHEDULER.start();
  }

  @AfterAll
  static void theSchedulerEnds() throws InterruptedException {
    SCHEDULER.end();
  }

  private static ApiClient api() {
    return CLUSTER.api();
  }

  private static void forbid(
      String name, String group, String resource, String operation, String unless) {
    api()
        .create(
            POLICIES + "validatingadmissionpolicies",
            """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy",
            "metadata":{"name":"%s"},"spec":{"matchConstraints":{"resourceRules":[{
            "apiGroups":["%s"],"apiVersions":["*"],"operations":["%s"],"resources":["%s"]}]},
            "validations":[{"expression":"%s","message":"not in this quarter"}]}}\
            """
                .formatted(name, group, operation, resource, unless))
        .orThrow();
    api()
        .create(
            POLICIES + "validatingadmissionpolicybindings",
            """
            {"apiVersion":"admissionregistration.k8s.io/v1",
            "kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":"%s"},
            "spec":{"policyName":"%s","validationActions":["Deny"]}}\
            """
                .formatted(name, name))
        .orThrow();
  }

  private static void allowAgain(String name) {
    api().delete(POLICIES + "validatingadmissionpolicybindings/" + name).orThrow();
  }

  private static void createJob(String name) {
    api()
        .create(
            JOBS,
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s"},"spec":{
            "suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{
            "name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}}\
            """
                .formatted(name))
        .orThrow();
  }

  private static void queue(String job) {
    api()
        .mergePatch(
            JOBS + "/" + job, "{\"metadata\":{\"labels\":{\"kueue.x-k8s.io/queue-name\":\"lq\"}}}")
        .orThrow();
  }

  private static List<JsonNode> warnings(String job, String reason) {
    return api()
        .get(EVENTS)
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(
            it ->
                it.at("/regarding/kind").asText().equals("Job")
                    && it.at("/regarding/name").asText().equals(job)
                    && it.path("type").asText().equals("Warning")
                    && it.path("reason").asText().equals(reason))
        .toList();
  }

  private static JsonNode workloadOf(String job) {
    return api()
        .get(WORKLOADS)
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(it -> it.at("/metadata/ownerReferences/0/name").asText().equals(job))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  @Test
  void aJobThatMayNotBeStartedSaysWhyAndStartsOnceItMay() {
    String start = "{\"spec\":{\"suspend\":false}}";
    createJob("held");
    forbid("no-start", "batch", "jobs", "UPDATE", "object.spec.suspend == true");
    SCHEDULER.await(
        "the policy is in force",
        () -> !api().mergePatch(JOBS + "/held" + DRY_RUN, start).isSuccess());

    queue("held");
    SCHEDULER.await("an event says so", () -> !warnings("held", "FailedUpdate").isEmpty());

    assertThat(warnings("held", "FailedUpdate").getFirst().path("note").asText())
        .startsWith("The API server refuses to change Job default/held: ")
        .contains("not in this quarter");
    assertThat(ApiClient.hasCondition(workloadOf("held"), "Admitted")).isTrue();

    allowAgain("no-start");
    SCHEDULER.await(
        "it starts",
        () -> !api().get(JOBS + "/held").orThrow().json().at("/spec/suspend").asBoolean());
    assertThat(warnings("held", "FailedUpdate")).as("told once").hasSize(1);
  }

  @Test
  void aJobWhoseWorkloadMayNotBeCreatedSaysWhy() {
    String unless = "!object.metadata.name.startsWith('job-unwanted')";
    forbid("no-workload", "kueue.x-k8s.io", "workloads", "CREATE", unless);
    String some =
        Kueue.object(WORKLOAD, HUB, "job-unwanted", "\"spec\":" + Kueue.workload("lq", 1));
    SCHEDULER.await(
        "the policy is in force", () -> !api().create(WORKLOADS + DRY_RUN, some).isSuccess());

    createJob("unwanted");
    queue("unwanted");
    SCHEDULER.await("an event says so", () -> !warnings("unwanted", "FailedCreate").isEmpty());

    assertThat(warnings("unwanted", "FailedCreate").getFirst().path("note").asText())
        .startsWith("The API server refuses to create Workload default/job-unwanted-")
        .contains("not in this quarter");

    allowAgain("no-workload");
    SCHEDULER.await(
        "it is admitted", () -> ApiClient.hasCondition(workloadOf("unwanted"), "Admitted"));
  }
}
