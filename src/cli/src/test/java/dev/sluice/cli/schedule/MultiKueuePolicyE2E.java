package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A policy of the operators of one worker rewrites every Job there. */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(600)
class MultiKueuePolicyE2E {
  private static final String QUEUE = "shared";
  private static final String POLICIES =
      "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
  private static final String BINDINGS =
      "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings";

  private static final String CPU = "/spec/template/spec/containers/0/resources/requests/cpu";

  @RegisterExtension private static final Fleet FLEET = new Fleet();

  @BeforeAll
  static void schedulers() {
    FLEET.start(Configuration.defaults(Fleet.HOME));
    FLEET.openQueue(QUEUE);
  }

  /** Each Job that is created there asks for three cpu from now on. */
  private static void rewriteJobs(ApiClient worker) {
    worker
        .create(
            POLICIES,
            """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicy",
            "metadata":{"name":"more"},"spec":{"reinvocationPolicy":"Never",
            "failurePolicy":"Fail","matchConstraints":{"resourceRules":[{"apiGroups":["batch"],
            "apiVersions":["v1"],"operations":["CREATE"],"resources":["jobs"]}]},
            "mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":
            "[JSONPatch{op: 'replace', path: '%s', value: '3'}]"}}]}}\
            """
                .formatted(CPU))
        .orThrow();
    worker
        .create(
            BINDINGS,
            """
            {"apiVersion":"admissionregistration.k8s.io/v1",
            "kind":"MutatingAdmissionPolicyBinding","metadata":{"name":"more"},
            "spec":{"policyName":"more"}}\
            """)
        .orThrow();
    FLEET.await("the policy is in force", () -> isRewritten(worker));
  }

  private static boolean isRewritten(ApiClient worker) {
    JsonNode tried =
        worker
            .create(
                Fleet.jobs() + "?dryRun=All",
                """
                {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"tried"},"spec":{
                "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i",
                "resources":{"requests":{"cpu":"1"}}}]}}}}\
                """)
            .json();
    return tried.at("/spec/template/spec/containers/0/resources/requests/cpu").asText().equals("3");
  }

  private static Stream<String> events() {
    return FLEET
        .api()
        .get("/api/v1/namespaces/" + Fleet.NAMESPACE + "/events")
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(it -> it.path("reason").asText().equals("MultiKueue"))
        .map(it -> it.path("message").asText());
  }

  @Test
  void aJobThatAPolicyRewritesIsToldAndRunsOnTheOtherWorker() {
    rewriteJobs(FLEET.api("a"));
    FLEET.stopPolicy("b", QUEUE, "Hold");
    FLEET.createJob("rewritten", QUEUE);

    FLEET.await(
        "the differing field is told in the check",
        () ->
            FLEET
                .workload("rewritten")
                .filter(
                    it ->
                        it.at("/status/admissionChecks/0/message")
                            .asText()
                            .contains("a: the job there is out of sync"))
                .isPresent());
    FLEET.await(
        "the differing field is told",
        () ->
            events()
                .anyMatch(
                    it ->
                        it.startsWith("Worker cluster \"a\": ")
                            && it.contains("spec.template.spec.containers[0].resources")));
    FLEET.stopPolicy("b", QUEUE, "None");

    assertThat(FLEET.runs("rewritten")).isEqualTo("b");
    FLEET.leavesNothingOn("a", "rewritten");
    FLEET.succeed("b", "rewritten");
    FLEET.finishes("rewritten");
    FLEET.leavesNothingElsewhere("rewritten");
  }
}
