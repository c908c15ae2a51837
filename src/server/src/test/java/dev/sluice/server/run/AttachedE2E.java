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
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Admission, scheduling, and the dashboard of a cluster in one process. */
@FullTier
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class AttachedE2E {
  private static final Duration BOUND = Duration.ofSeconds(120);
  private static final String GROUP = "/apis/kueue.x-k8s.io/v1beta2";
  private static final String WORKLOADS = GROUP + "/namespaces/default/workloads";
  private static final String VIEW = "/apis/view.sluice.dev/v1alpha1";
  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

  @TempDir private static Path folder;

  private final Chosen chosen = Chosen.defaults("sluice-system");
  private ControlPlane cluster;
  private Attached attached;
  private ApiClient api;

  /** As on a command line. */
  @Command
  private static final class Flags {
    @Mixin private SchedulerFlags scheduler = new SchedulerFlags();
    @Mixin private AttachedFlags attached = new AttachedFlags();
  }

  @BeforeAll
  void attach() {
    Flags flags = new Flags();
    new CommandLine(flags).parseArgs("--leader-elect=false");
    cluster = ControlPlane.start(ControlPlane.Options.apiServer());
    api = cluster.client();
    attached =
        Attached.start(
            flags.attached,
            ClusterAccess.of(cluster.kubeconfig()),
            chosen,
            flags.scheduler,
            ServerOptions.builder().listeningOn(ANY_PORT, ANY_PORT).build(),
            certificates("certs"),
            new Supervisor());
    install();
    createQueues();
  }

  @AfterAll
  void end() {
    if (attached != null) {
      attached.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static CertificateFolder certificates(String name) {
    return CertificateFolder.open(
        folder.resolve(name),
        List.of("127.0.0.1", "localhost"),
        Lifetimes.DEFAULT,
        InstantSource.system(),
        new SecureRandom());
  }

  @Test
  void theWarningOfAQuotaEditNamesThoseWhomTheEngineWouldPreempt() {
    workload("borrows", "other", 4);
    awaitQuota("borrows");
    workload("waits", "owner", 2);

    String other = "spec: with this, a workload loses its quota at once: default/borrows";
    Awaitility.await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(warnings(2)).containsExactly(other));
    assertThat(warnings(0)).noneMatch(it -> it.contains("loses"));
  }

  @Test
  void theDashboardIsServedAndItsEndEndsNothingElse() {
    api.create( // an API server without a front proxy does not write it
            "/api/v1/namespaces/kube-system/configmaps",
            """
            {"apiVersion":"v1","kind":"ConfigMap",
            "metadata":{"name":"extension-apiserver-authentication"},"data":{}}\
            """)
        .orThrow();
    CertificateFolder certificates = certificates("view-certs");
    List<String> problems = new ArrayList<>();
    try (HostedView view =
            HostedView.start(
                    ClusterAccess.of(cluster.kubeconfig()),
                    chosen,
                    ANY_PORT,
                    certificates,
                    problems::add)
                .orElseThrow();
        ApiClient user =
            new ApiClient(
                URI.create("https://127.0.0.1:" + view.port()),
                cluster.token(),
                certificates.caBundlePem())) {
      user.await(VIEW + "/standing", BOUND, it -> it.toString().contains("owner"));
      assertThat(user.get("/ui/").status()).isEqualTo(200);

      view.supervisor().part("engine").failed(new StackOverflowError(), "nothing else ends");
      Awaitility.await().atMost(BOUND).until(() -> view.port() == 0);
    }
    assertThat(problems).isEmpty();
    workload("later", "alone", 1);
    awaitQuota("later");
  }

  @Test
  void aPortThatIsTakenIsSaidAndEndsNothing() {
    List<String> problems = new ArrayList<>();

    assertThat(
            HostedView.start(
                ClusterAccess.of(cluster.kubeconfig()),
                chosen,
                new ListenAddress("127.0.0.1", attached.server().httpsPort()),
                certificates("other-certs"),
                problems::add))
        .isEmpty();

    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("the dashboard is not served: cannot listen on 127.0.0.1:")
        .endsWith("name another port with --view-port");
  }

  private void install() {
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

  private void create(String path, String kind, String members) {
    String object =
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s',%s}".formatted(kind, members);
    Awaitility.await() // the API server finds new webhooks and kinds after a moment
        .atMost(BOUND)
        .untilAsserted(
            () -> assertThat(api.create(path, object.replace('\'', '"')).status()).isIn(201, 409));
  }

  private void createQueues() {
    create(GROUP + "/resourceflavors", "ResourceFlavor", "'metadata':{'name':'f'}");
    createQueue("owner", spec("both", 1));
    createQueue("other", spec("both", 3));
    createQueue("alone", spec("none", 1));
  }

  private void createQueue(String name, String spec) {
    create(
        GROUP + "/clusterqueues",
        "ClusterQueue",
        "'metadata':{'name':'%s'},'spec':%s".formatted(name, spec));
    create(
        GROUP + "/namespaces/default/localqueues",
        "LocalQueue",
        "'metadata':{'name':'%s'},'spec':{'clusterQueue':'%s'}".formatted(name, name));
  }

  private static String spec(String cohort, int cpu) {
    return """
    {'cohortName':'%s','namespaceSelector':{},'preemption':{'reclaimWithinCohort':'Any'},
    'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
    {'name':'cpu','nominalQuota':'%d'}]}]}]}\
    """
        .formatted(cohort, cpu);
  }

  private void workload(String name, String queue, int pods) {
    create(
        WORKLOADS,
        "Workload",
        """
        'metadata':{'name':'%s'},'spec':{'queueName':'%s','podSets':[{'name':'main','count':%d,
        'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i',
        'resources':{'requests':{'cpu':'1'}}}]}}}]}\
        """
            .formatted(name, queue, pods));
  }

  private void awaitQuota(String workload) {
    api.await(WORKLOADS + "/" + workload, BOUND, it -> it.at("/status/admission").isObject());
  }

  /** Of an edit of the queue of the owner that is not stored. */
  private List<String> warnings(int cpu) {
    ApiClient.Response edited =
        api.mergePatch(
            GROUP + "/clusterqueues/owner?dryRun=All",
            ("{'spec':" + spec("both", cpu) + "}").replace('\'', '"'));
    return edited.orThrow().warnings();
  }
}
