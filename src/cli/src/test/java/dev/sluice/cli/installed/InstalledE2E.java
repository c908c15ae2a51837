package dev.sluice.cli.installed;

import static dev.sluice.cli.installed.TeamNamespace.FOREVER;
import static dev.sluice.cli.installed.TeamNamespace.JOBS;
import static dev.sluice.cli.installed.TeamNamespace.JOB_SETS;
import static dev.sluice.cli.installed.TeamNamespace.KUEUE;
import static dev.sluice.cli.installed.TeamNamespace.WORKLOADS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.kinds.KindStories;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is installed can do its work: with its rights, and with the socket between its programs. */
@FullTier
@NeedsControlPlane
@Timeout(900)
@SuppressWarnings("NullAway.Init") // set before all tests
class InstalledE2E {
  private static final Set<String> GROUPS_ELSEWHERE =
      Set.of(
          "jobset.x-k8s.io",
          "kubeflow.org",
          "ray.io",
          "trainer.kubeflow.org",
          "workload.codeflare.dev");

  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(100);

  @TempDir private static Path folder;
  private static Installed installed;
  private static ApiClient api;
  private static TeamNamespace team;

  @BeforeAll
  static void start() throws Exception {
    installed =
        new Installed(
            folder,
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            leaderElection:
              leaderElect: true
              leaseDuration: 15s
              renewDeadline: 10s
              retryPeriod: 500ms
            fairSharing:
              preemptionStrategies: [LessThanOrEqualToFinalShare]
            waitForPodsReady:
              timeout: 5m
            resources:
              deviceClassMappings:
              - name: example.com/card
                deviceClassNames: [card.example.com]
              - name: example.com/card-memory
                deviceClassNames: [part.example.com]
                sources:
                - counter: {name: memory, driver: card.example.com}
            objectRetentionPolicies:
              workloads:
                afterFinished: 1s
                afterDeactivatedByKueue: 1s
            featureGates:
              SparkApplicationIntegration: true
            """
                + KindStories.frameworks(KindStories.all())
                + """
                  - pod
                  - deployment
                  - statefulset
                """);
    api = installed.api();
    team = new TeamNamespace(api);
    await("it is registered", () -> mayCreateFlavors() && isRegistered());
    var visibility = new VisibilityScene(installed);
    await("the visibility API can be trusted", visibility::isPublished);
    await("it knows its callers and their rights", () -> visibility.ask() == 403);
    visibility.withdraw();
    await("the scheduler leads", () -> installed.scheduler().page("/readyz").contains("leading"));
  }

  /** The first review ends the trial of the registration. */
  private static boolean isRegistered() {
    ApiClient.Response found =
        api.get(
            "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/sluice-mutating");
    return found.isSuccess() && !found.json().findValuesAsText("failurePolicy").contains("Ignore");
  }

  private static boolean mayCreateFlavors() {
    return api.create(
            KUEUE + "resourceflavors?dryRun=All",
            TeamNamespace.object("ResourceFlavor", "probe", "{}"))
        .isSuccess();
  }

  @AfterAll
  static void stop() {
    installed.close();
  }

  private static void await(String what, BooleanSupplier condition) {
    await(what, condition, () -> api.get(WORKLOADS).body());
  }

  private static void await(String what, BooleanSupplier condition, Supplier<String> more) {
    assertThat(Poll.until(SOON, PAUSE, condition))
        .as(
            () ->
                "%s\nrefused: %s\n%s\n%s\n%s"
                    .formatted(
                        what,
                        installed.audit().refused(),
                        installed.webhook().tail(),
                        installed.scheduler().tail() + installed.see().tail(),
                        more.get()))
        .isTrue();
  }

  @Test
  void eachAccountMayDoAllThatItsProgramDoesAndNothingElse() {
    var others = new JobsOfOthers(api, InstalledE2E::await);
    others.serve();
    team.serveRequests();
    team.node("plain-1", "plain");
    team.node("plain-2", "plain");
    List.of("placed-1", "placed-2", "placed-3").forEach(it -> team.node(it, "placed"));
    team.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"team\"}}");
    team.ours(
        "topologies",
        "Topology",
        "racks",
        """
        {"levels":[{"nodeLabel":"example.com/rack"},{"nodeLabel":"kubernetes.io/hostname"}]}\
        """);
    team.ours(
        "resourceflavors", "ResourceFlavor", "plain", "{\"nodeLabels\":{\"pool\":\"plain\"}}");
    team.ours(
        "resourceflavors",
        "ResourceFlavor",
        "placed",
        "{\"nodeLabels\":{\"pool\":\"placed\"},\"topologyName\":\"racks\"}");
    team.ours(
        "admissionchecks", "AdmissionCheck", "gate", "{\"controllerName\":\"example.com/gate\"}");
    api.mergePatch(
            KUEUE + "admissionchecks/gate/status",
            """
            {"status":{"conditions":[{"type":"Active","status":"True","reason":"Active",
            "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
            """)
        .orThrow();
    team.ours("cohorts", "Cohort", "all", "{}");
    team.queue("plain", "plain", 8, ",\"cohortName\":\"all\"");
    team.queue("placed", "placed", 12, ",\"cohortName\":\"all\"");
    team.queue(
        "checked",
        "plain",
        2,
        ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"gate\"}]}");

    team.ours(
        "provisioningrequestconfigs",
        "ProvisioningRequestConfig",
        "grow",
        "{\"provisioningClassName\":\"example.com\"}");
    team.ours(
        "admissionchecks",
        "AdmissionCheck",
        "grow",
        """
        {"controllerName":"kueue.x-k8s.io/provisioning-request","parameters":{
        "apiGroup":"kueue.x-k8s.io","kind":"ProvisioningRequestConfig","name":"grow"}}\
        """);
    team.queue(
        "growing",
        "plain",
        1,
        ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"grow\"}]}");

    team.job("asking", "growing", TeamNamespace.jobSpec(1, "500m", ""));
    team.job("quick", "plain", TeamNamespace.jobSpec(1, "500m", ""));
    team.job("lasting", "plain", TeamNamespace.jobSpec(1, "1", FOREVER));
    team.job("gated", "checked", TeamNamespace.jobSpec(1, "1", ""));
    String inOneRack = "\"kueue.x-k8s.io/podset-required-topology\":\"example.com/rack\",";
    team.job("spread", "placed", TeamNamespace.jobSpec(2, "3", inOneRack + FOREVER));
    team.jobSet("set", "plain");
    team.jobSet("gated-set", "checked");
    team.served("web", "Deployment", "deployments", "");
    team.served("db", "StatefulSet", "statefulsets", "\"serviceName\":\"db\",");
    team.memberOfAPair("left");
    team.memberOfAPair("right");

    team.ours("resourceflavors", "ResourceFlavor", "leaving", "{}");
    team.queue("leaving", "leaving", 1, "");
    api.delete(KUEUE + "clusterqueues/leaving").orThrow();
    await("a queue that nobody uses goes", () -> team.isGone(KUEUE + "clusterqueues/leaving"));
    api.delete(KUEUE + "resourceflavors/leaving").orThrow();
    await("so does its flavor", () -> team.isGone(KUEUE + "resourceflavors/leaving"));
    await("a Job is complete", () -> ApiClient.hasCondition(team.job("quick"), "Complete"));
    await(
        "its Workload is deleted when its time is over", () -> team.workloadsOf("quick").isEmpty());
    await("nodes are asked for", team::isAsked);
    team.provision();
    await("a Job that waited for nodes is complete", () -> team.workloadsOf("asking").isEmpty());
    await("nodes are asked for no more", () -> !team.isAsked());
    await("a JobSet runs", () -> team.runs(JOB_SETS + "/set"));
    await("a Deployment runs", () -> team.ready("deployments/web"));
    await("a StatefulSet runs", () -> team.ready("statefulsets/db"));
    await("a Job runs", () -> team.hostsOf("lasting").size() == 1);
    team.surplusPodOf("lasting");
    team.deactivate("lasting");
    await(
        "it is stopped", () -> !team.runs(JOBS + "/lasting") && team.hostsOf("lasting").isEmpty());
    await("a group of Pods is admitted", () -> team.is("pair", "Admitted"));
    team.deactivate("pair");
    await("they are stopped", () -> team.isOver("left") && team.isOver("right"));
    await(
        "checks are asked for",
        () -> team.is("gated", "QuotaReserved") && team.is("gated-set", "QuotaReserved"));
    team.reject("gated");
    team.reject("gated-set");
    await(
        "who is given up is deleted",
        () -> team.isGone(JOBS + "/gated") && team.isGone(JOB_SETS + "/gated-set"));
    others.play("plain", "gate");
    await("our own Pod is let in", team::isDeployed);
    await("a Job runs where it was placed", () -> team.hostsOf("spread").size() == 2);
    String failed = team.hostsOf("spread").iterator().next();
    team.fail(failed);
    await(
        "it has another place",
        () -> team.hostsOf("spread").size() == 2 && !team.hostsOf("spread").contains(failed));

    team.ours(
        "multikueueclusters",
        "MultiKueueCluster",
        "worker",
        """
        {"clusterSource":{"kubeConfig":{"locationType":"Secret","location":"worker"}}}\
        """);
    for (String account : Installed.ACCOUNTS) {
      Poll.until(SOON, PAUSE, () -> idle(account).isEmpty()); // with the next round of a clock
      assertThat(idle(account)).as(account).isEmpty();
    }
    assertThat(installed.audit().refused()).isEmpty();
  }

  /** What an account may do and never did. */
  private static Set<Right> idle(String account) {
    Set<Right> idle = installed.idle(account);
    // only for a Job that its controller leaves with a start time when it is stopped
    idle.remove(new Right("patch", "batch", "jobs/status"));
    // only a MultiKueueCluster that is connected gets our finalizer
    idle.remove(new Right("patch", "kueue.x-k8s.io", "multikueueclusters"));
    idle.removeIf(InstalledE2E::isOfJobsElsewhere);
    return idle;
  }

  /** Only where a job runs on another cluster its status is written here. */
  private static boolean isOfJobsElsewhere(Right right) {
    return right.verb().equals("patch")
        && right.resource().endsWith("/status")
        && GROUPS_ELSEWHERE.contains(right.group());
  }

  @Test
  void theServerKnowsWhatTheSchedulerHasDecidedAndGoesOnWithWhatIsStoredWithoutIt() {
    LedgerScene ledger = new LedgerScene(installed);
    await("the ledger is followed", () -> ledger.follows("ledger") && !ledger.follows("watches"));
    team.ours("resourceflavors", "ResourceFlavor", "told", "{}");
    team.ours(
        "clusterqueues",
        "ClusterQueue",
        "told",
        """
        {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
        {"name":"told","resources":[{"name":"cpu","nominalQuota":3}]}]}]}\
        """);
    ledger.workload("decided", "told");
    team.ours( // its Workloads are for that ClusterQueue, and the scheduler leaves them alone
        "namespaces/default/localqueues",
        "LocalQueue",
        "aside",
        "{\"clusterQueue\":\"told\",\"stopPolicy\":\"Hold\"}");
    ledger.workload("other", "aside");
    ledger.hold("decided");
    await("nothing is stored of it", () -> ledger.wouldReserve("decided").status() == 500);
    await("what fits passes", () -> ledger.wouldReserve("other").status() == 200);

    team.ours(
        "namespaces/default/localqueues", "LocalQueue", "told", "{\"clusterQueue\":\"told\"}");
    await("what is decided counts", () -> ledger.wouldReserve("other").status() == 409);
    assertThat(ledger.holdsQuota("decided")).isFalse();

    installed.scheduler().kill();
    await("the ledger is lost", () -> ledger.follows("watches") && !ledger.follows("ledger"));
    assertThat(installed.webhook().meter("sluice_ledger_breaks_total").orElse(0)).isPositive();
    await("only what is stored counts", () -> ledger.wouldReserve("other").status() == 200);

    ledger.letGo();
    installed.scheduler().restart();
    await(
        "the ledger is followed again",
        () -> ledger.follows("ledger") && !ledger.follows("watches"));
    await("it is stored", () -> ledger.holdsQuota("decided"));
    ApiClient.Response refused = ledger.wouldReserve("other");
    assertThat(refused.status()).as(refused.body()).isEqualTo(409);
    assertThat(refused.body())
        .contains("2 of cpu in flavor told is not to be had in ClusterQueue told")
        .contains("where 1 is left");
  }
}
