package dev.sluice.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import dev.sluice.server.schedule.SchedulerFlags;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ListenAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What an operator reads who edits a quota where one process admits and schedules. */
@FullTier
@NeedsControlPlane
class QuotaEditE2E {
  private static final Duration BOUND = Duration.ofSeconds(120);
  private static final String GROUP = "/apis/kueue.x-k8s.io/v1beta2";
  private static final String WORKLOADS = GROUP + "/namespaces/default/workloads";

  @TempDir private Path folder;

  /** As on a command line. */
  @Command
  private static final class Flags {
    @Mixin private SchedulerFlags scheduler = new SchedulerFlags();
    @Mixin private AttachedFlags attached = new AttachedFlags();
  }

  @Test
  void theWarningNamesThoseWhomTheEngineWouldPreempt() {
    Flags flags = new Flags();
    new CommandLine(flags).parseArgs("--leader-elect=false");
    Chosen chosen = Chosen.defaults("sluice-system");
    CertificateFolder certificates =
        CertificateFolder.open(
            folder,
            List.of("127.0.0.1", "localhost"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    ServerOptions options =
        ServerOptions.builder()
            .listeningOn(new ListenAddress("127.0.0.1", 0), new ListenAddress("127.0.0.1", 0))
            .build();
    try (ControlPlane cluster = ControlPlane.start(ControlPlane.Options.apiServer());
        Attached attached =
            Attached.start(
                flags.attached,
                ClusterAccess.of(cluster.kubeconfig()),
                chosen,
                flags.scheduler,
                options,
                certificates,
                new Supervisor())) {
      ApiClient api = cluster.client();
      install(api, attached, chosen);
      createQueues(api);
      workload(api, "borrows", "other", 4);
      awaitQuota(api, "borrows");
      workload(api, "waits", "owner", 2);

      String other = "spec: with this, a workload loses its quota at once: default/borrows";
      Awaitility.await()
          .atMost(BOUND)
          .untilAsserted(() -> assertThat(warnings(api, 2)).containsExactly(other));
      assertThat(warnings(api, 0)).noneMatch(it -> it.contains("loses"));
    }
  }

  private static void install(ApiClient api, Attached attached, Chosen chosen) {
    Installation installation =
        Installation.into(
                new Target.Url(URI.create("https://127.0.0.1:" + attached.server().httpsPort())))
            .trusting(attached.server().caBundlePem())
            .managing(chosen.jobs());
    for (ObjectNode document : installation.documents()) {
      String name = document.at("/metadata/name").asText();
      String path =
          switch (document.path("kind").asText()) {
            case "CustomResourceDefinition" ->
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
            case "MutatingWebhookConfiguration" ->
                "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/";
            default -> "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/";
          };
      api.serverSideApply(path + name, "test", document.toString()).orThrow();
    }
    for (ObjectNode document : installation.documents()) {
      if (document.path("kind").asText().equals("CustomResourceDefinition")) {
        api.awaitEstablished(document.at("/metadata/name").asText(), BOUND);
      }
    }
  }

  private static void create(ApiClient api, String path, String kind, String members) {
    String object =
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s',%s}".formatted(kind, members);
    Awaitility.await() // the API server finds new webhooks and kinds after a moment
        .atMost(BOUND)
        .untilAsserted(
            () -> assertThat(api.create(path, object.replace('\'', '"')).status()).isIn(201, 409));
  }

  private static void createQueues(ApiClient api) {
    create(api, GROUP + "/resourceflavors", "ResourceFlavor", "'metadata':{'name':'f'}");
    for (String queue : List.of("owner", "other")) {
      create(
          api,
          GROUP + "/clusterqueues",
          "ClusterQueue",
          "'metadata':{'name':'%s'},'spec':%s"
              .formatted(queue, spec(queue.equals("owner") ? 1 : 3)));
      create(
          api,
          GROUP + "/namespaces/default/localqueues",
          "LocalQueue",
          "'metadata':{'name':'%s'},'spec':{'clusterQueue':'%s'}".formatted(queue, queue));
    }
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
        WORKLOADS,
        "Workload",
        """
        'metadata':{'name':'%s'},'spec':{'queueName':'%s','podSets':[{'name':'main','count':%d,
        'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i',
        'resources':{'requests':{'cpu':'1'}}}]}}}]}\
        """
            .formatted(name, queue, pods));
  }

  private static void awaitQuota(ApiClient api, String workload) {
    api.await(WORKLOADS + "/" + workload, BOUND, it -> it.at("/status/admission").isObject());
  }

  /** Of an edit of the queue of the owner that is not stored. */
  private static List<String> warnings(ApiClient api, int cpu) {
    ApiClient.Response edited =
        api.mergePatch(
            GROUP + "/clusterqueues/owner?dryRun=All",
            ("{'spec':" + spec(cpu) + "}").replace('\'', '"'));
    return edited.orThrow().warnings();
  }
}
