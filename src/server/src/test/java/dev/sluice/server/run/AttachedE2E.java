package dev.sluice.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
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
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final String VIEW = "/apis/view.sluice.dev/v1alpha1";
  private static final ListenAddress ANY_PORT = new ListenAddress("127.0.0.1", 0);

  @TempDir private static Path folder;

  private final Chosen chosen = Chosen.defaults("sluice-system");
  private ControlPlane cluster;
  private Attached attached;
  private ApiClient api;
  private SharedQuota quota;

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
            ServerOptions.builder().listeningOn(ANY_PORT, ANY_PORT).warmUp(Duration.ZERO).build(),
            certificates("certs"),
            new Supervisor());
    quota = new SharedQuota(api, attached.server(), chosen);
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
    quota.borrow();

    quota.awaitNamesOfTheEngine();
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
    quota.workload("later", "alone", 1);
    quota.awaitQuota("later");
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
}
