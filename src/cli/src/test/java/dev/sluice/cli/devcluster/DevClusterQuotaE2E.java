package dev.sluice.cli.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.testcluster.TestCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server of a dev-cluster asks the scheduler beside it about edits of quotas. */
@FullTier
@NeedsControlPlane
class DevClusterQuotaE2E {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final String GROUP = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final String IN_DEFAULT = GROUP + "namespaces/default/";

  @TempDir private Path folder;

  private static void create(ApiClient api, String collection, String kind, String members) {
    String json = "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s',%s}".formatted(kind, members);
    api.create(collection, json.replace('\'', '"')).orThrow();
  }

  private static void queue(ApiClient api, String name, int cpu) {
    create(
        api,
        GROUP + "clusterqueues",
        "ClusterQueue",
        "'metadata':{'name':'%s'},'spec':%s".formatted(name, spec(cpu)));
    create(
        api,
        IN_DEFAULT + "localqueues",
        "LocalQueue",
        "'metadata':{'name':'%s'},'spec':{'clusterQueue':'%s'}".formatted(name, name));
  }

  private static String spec(int cpu) {
    return """
    {'cohortName':'c','namespaceSelector':{},'preemption':{'reclaimWithinCohort':'Any'},
    'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
    {'name':'cpu','nominalQuota':'%d'}]}]}]}\
    """
        .formatted(cpu);
  }

  private static void workload(ApiClient api, String name, String queue, int pods) {
    create(
        api,
        IN_DEFAULT + "workloads",
        "Workload",
        """
        'metadata':{'name':'%s'},'spec':{'queueName':'%s','podSets':[{'name':'main','count':%d,
        'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i',
        'resources':{'requests':{'cpu':'1'}}}]}}}]}\
        """
            .formatted(name, queue, pods));
  }

  /** Raises the quota of the owner, so that its Workload fits, without storing that. */
  private static ApiClient.Response raise(ApiClient api) {
    return api.mergePatch(
            GROUP + "clusterqueues/owner?dryRun=All",
            ("{'spec':" + spec(2) + "}").replace('\'', '"'))
        .orThrow();
  }

  @Test
  void theWarningOfAQuotaEditNamesThoseWhomItsSchedulerWouldPreempt() {
    try (DevCluster cluster = TestCluster.startIn(folder, ControlPlane.Options.apiServer());
        Scheduling scheduling = cluster.schedule(EveryKind.chosen(), Optional.empty())) {
      assertThat(scheduling).isNotNull();
      ApiClient api = cluster.controlPlane().client();
      create(api, GROUP + "resourceflavors", "ResourceFlavor", "'metadata':{'name':'f'}");
      queue(api, "owner", 1);
      queue(api, "other", 3);
      workload(api, "borrows", "other", 4);
      api.await(
          IN_DEFAULT + "workloads/borrows", BOUND, it -> it.at("/status/admission").isObject());
      workload(api, "waits", "owner", 2);

      await()
          .atMost(BOUND)
          .untilAsserted(
              () ->
                  assertThat(raise(api).warnings())
                      .containsExactly(
                          "spec: with this, a workload loses its quota at once: default/borrows"));
    }
  }
}
