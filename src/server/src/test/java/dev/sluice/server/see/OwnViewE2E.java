package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.vocabulary.ViewGroup;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Poll;
import dev.sluice.server.dashboard.DashboardServer;
import dev.sluice.server.dashboard.Questions;
import dev.sluice.server.reply.Reply;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.browser.Chromium;
import dev.sluice.testkit.browser.NeedsChromium;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard of a cluster that has the kinds and a scheduler, but no server of our API: as one
 * of Kueue has.
 */
@FullTier
@NeedsControlPlane
@NeedsChromium
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class OwnViewE2E {
  private static final String RIGHTS = "/apis/rbac.authorization.k8s.io/v1";
  private static final Path PICTURES = Path.of("target/dashboard").toAbsolutePath();

  @TempDir private static Path folder;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private ControlPlane cluster;
  private Scheduling scheduling;
  private Chromium browser;

  @BeforeAll
  void aClusterWithoutOurApi() throws IOException {
    cluster = ControlPlane.start(ControlPlane.Options.apiServer());
    Aggregated.createKinds(cluster.client());
    var research = new ResearchCluster(this::create);
    research.createQueues();
    scheduling =
        Scheduling.alone(cluster.kubeconfig(), Chosen.defaults("sluice-system"), new Supervisor());
    research.createRunningJobs();
    cluster
        .client()
        .await(
            "/apis/kueue.x-k8s.io/v1beta2/workloads",
            Aggregated.BOUND,
            it ->
                it.path("items")
                        .valueStream()
                        .filter(workload -> ApiClient.hasCondition(workload, "Admitted"))
                        .count()
                    == 7);
    research.createWaitingJobs();
    browser = Chromium.start(Files.createTempDirectory(folder, "browser"));
    browser.show(1280, 900, "light", false);
  }

  @AfterAll
  void end() {
    if (browser != null) {
      browser.close();
    }
    if (scheduling != null) {
      scheduling.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private void create(String collection, String json) {
    cluster.client().create(collection, json.replace('\'', '"')).orThrow();
  }

  private static DashboardServer dashboard(Path kubeconfig, String namespace) {
    return DashboardServer.start(
        view(kubeconfig, namespace, Chosen.defaults("sluice-system"), false), 0, namespace);
  }

  private static OwnView view(Path kubeconfig, String namespace, Chosen chosen, boolean isGiven) {
    OwnView view =
        OwnView.start(ClusterAccess.of(kubeconfig), chosen, isGiven, namespace, new Supervisor());
    var standing = new Questions.Question("GET", ViewGroup.ROOT + "/standing");
    // until then a page that asks has an error of the console, which problems() would tell
    assertThat(
            Poll.until(Aggregated.BOUND, PAUSE, () -> view.ask(standing, "", "").status() != 503))
        .as("all lists are in")
        .isTrue();
    return view;
  }

  /** What leaves a page when it is closed. */
  private interface Leaving extends AutoCloseable {
    @Override
    void close();
  }

  /** A page that asks a server which has ended has an error, which the next test would see. */
  private void leave() {
    browser.open("about:blank");
    browser.await("location.href === 'about:blank'");
  }

  private void open(DashboardServer dashboard, String page) {
    browser.open(dashboard.address());
    browser.await("document.querySelector('main h1')");
    browser.open(dashboard.address().replaceFirst("#.*", "#/" + page));
  }

  @Test
  void whoMayListAllSeesAllPagesAndThatThisProgramReads() throws IOException {
    ApiClient.Response none = cluster.client().get("/apis/view.sluice.dev/v1alpha1");
    assertThat(none.status()).isEqualTo(404);
    try (DashboardServer dashboard = dashboard(cluster.kubeconfig(), "team-a");
        Leaving _ = this::leave) {
      browser.open(dashboard.address());
      browser.awaitText("llm-training");
      browser.awaitText("Read from the cluster by this program, with your rights.");
      assertThat(browser.text()).doesNotContain("Not all can be shown");
      browser.picture(PICTURES.resolve("own-overview.png"));
      browser.click("a.name", "llm-training");
      browser.awaitText("pretrain-large");
      browser.click("a.name", "pretrain-large");
      browser.awaitText("What would help");
      open(dashboard, "log?workload=pretrain-70b");
      browser.awaitText("Got quota");
      open(dashboard, "nodes");
      browser.awaitText("No ResourceFlavor has nodes");
      open(dashboard, "whatif?namespace=team-a");
      browser.fill(
          "#manifests",
          """
          apiVersion: batch/v1
          kind: Job
          metadata:
            name: try
            labels: {kueue.x-k8s.io/queue-name: training}
          spec:
            template:
              spec:
                restartPolicy: Never
                containers:
                - name: main
                  image: busybox
                  resources: {requests: {cpu: 1}}
          """);
      browser.click("button", "Simulate");
      browser.awaitText("Admitted");
      assertThat(browser.inaccessible()).isEmpty();
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void itDecidesByTheConfigurationThatIsGivenAndSaysSo() {
    Chosen given =
        new Chosen(
            ConfigurationReader.excerpt(
                JSON.objectNode()
                    .set("resources", JSON.objectNode().set("excludeResourcePrefixes", cpu()))),
            Extensions.DEFAULT);
    String huge =
        """
        {"spec":{"objects":[{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"huge",
        "labels":{"kueue.x-k8s.io/queue-name":"training"}},"spec":{"template":{"spec":{
        "restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{"requests":{
        "cpu":"1000000"}}}]}}}}]}}\
        """;
    var simulation =
        new Questions.Question("POST", ViewGroup.ROOT + "/namespaces/team-a/simulations");

    try (OwnView view =
        view(cluster.kubeconfig(), "team-a", Chosen.defaults("sluice-system"), false)) {
      assertThat(answer(view.ask(simulation, "", huge))).isEqualTo("Never");
    }
    try (OwnView view = view(cluster.kubeconfig(), "team-a", given, true);
        DashboardServer dashboard = DashboardServer.start(view, 0, "team-a");
        Leaving _ = this::leave) {
      assertThat(answer(view.ask(simulation, "", huge))).isEqualTo("Admitted");
      browser.open(dashboard.address());
      browser.awaitText("Read from the cluster by this program");
      browser.click("summary", "by this program");
      browser.awaitText("the configuration that was given with --config");
      browser.open("about:blank"); // a page of a server that has ended would ask on
    }
  }

  @Test
  void aPollIsAnsweredAtOnceAndInANewerStateThatSaysTheSameItHasNoBodyEither() {
    var line =
        new Questions.Question("GET", ViewGroup.ROOT + "/clusterqueues/llm-training/line?limit=5");
    try (OwnView view =
        view(cluster.kubeconfig(), "team-a", Chosen.defaults("sluice-system"), false)) {
      // the scheduler may still write reasons, which change the line
      int[] namespaces = {0};
      assertThat(Poll.until(Aggregated.BOUND, PAUSE, () -> isTheSame(view, line, namespaces[0]++)))
          .isTrue();
      assertThat(view.atHand(new Questions.Question("POST", line.uri()), "")).isEmpty();
    }
  }

  /** Whether the line says the same before and after another namespace is there. */
  private boolean isTheSame(OwnView view, Questions.Question line, int namespace) {
    String tag = view.ask(line, "", "").headers().getOrDefault("ETag", "");
    boolean isAtHand = view.atHand(line, tag).filter(it -> it.status() == 304).isPresent();
    create("/api/v1/namespaces", "{'metadata':{'name':'of-no-queue-%d'}}".formatted(namespace));
    boolean isNewer = Poll.until(Aggregated.BOUND, PAUSE, () -> view.atHand(line, tag).isEmpty());
    return isAtHand && isNewer && view.ask(line, tag, "").status() == 304;
  }

  @Test
  void anAnswerWithoutNewsHasAtMost300Bytes() throws IOException {
    try (DashboardServer dashboard = dashboard(cluster.kubeconfig(), "team-a")) {
      String path = ViewGroup.ROOT + "/clusterqueues/llm-training/line?limit=100";
      String tag = head(dashboard, path, "\"none\"").replaceFirst("(?is).*etag: (\\S+).*", "$1");

      String head = head(dashboard, path, tag);

      assertThat(head).startsWith("HTTP/1.1 304 ").hasSizeLessThanOrEqualTo(300);
    }
  }

  /** All that is answered before a body. */
  private static String head(DashboardServer dashboard, String path, String tag)
      throws IOException {
    String key = dashboard.address().replaceFirst(".*key=", "");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), dashboard.port())) {
      socket.setSoTimeout((int) Aggregated.BOUND.toMillis());
      socket
          .getOutputStream()
          .write(
              "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Sluice-Key: %s\r\nIf-None-Match: %s\r\n\r\n"
                  .formatted(path, key, tag)
                  .getBytes(UTF_8));
      StringBuilder head = new StringBuilder();
      InputStream answer = socket.getInputStream();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = answer.read();
        assertThat(next).as("the answer goes on after %s", head).isNotNegative();
        head.append((char) next);
      }
      return head.toString();
    }
  }

  private static ArrayNode cpu() {
    return JSON.arrayNode().add("cpu");
  }

  private static String answer(Reply reply) {
    return Asked.json(reply).at("/status/outcomes/0/answer").asText();
  }

  @Test
  void whoMayListLittleIsToldWhatIsLacking() throws IOException {
    create(
        RIGHTS + "/clusterroles",
        """
        {'metadata':{'name':'own-queues'},'rules':[{'apiGroups':['kueue.x-k8s.io'],
        'resources':['localqueues','workloads'],'verbs':['get','list','watch']}]}\
        """);
    create(
        RIGHTS + "/clusterroles",
        """
        {'metadata':{'name':'all-queues'},'rules':[{'apiGroups':['kueue.x-k8s.io'],
        'resources':['clusterqueues','cohorts'],'verbs':['get','list','watch']}]}\
        """);
    create("/api/v1/namespaces/team-b/serviceaccounts", "{'metadata':{'name':'reader'}}");
    String subjects = "'subjects':[{'kind':'ServiceAccount','name':'reader','namespace':'team-b'}]";
    String role =
        "'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'%s'}";
    create(
        RIGHTS + "/namespaces/team-b/rolebindings",
        "{'metadata':{'name':'own'},%s,%s}".formatted(subjects, role.formatted("own-queues")));
    create(
        RIGHTS + "/clusterrolebindings",
        "{'metadata':{'name':'all'},%s,%s}".formatted(subjects, role.formatted("all-queues")));
    Path kubeconfig = kubeconfig(cluster.client().serviceAccountToken("team-b", "reader"));

    try (DashboardServer dashboard = dashboard(kubeconfig, "team-b");
        Leaving _ = this::leave) {
      browser.open(dashboard.address());
      browser.awaitText("Not all can be shown");
      browser.click("summary", "by this program");
      browser.awaitText("workloads: shown of namespace team-b only");
      browser.awaitText("nodes: you may not list them");
      browser.awaitText(
          "resourceflavors: you may not list them, so ClusterQueues that name them look inactive");
      browser.picture(PICTURES.resolve("own-lacking.png"));
      assertThat(browser.inaccessible()).isEmpty();
      open(dashboard, "namespaces/team-b/localqueues/training");
      browser.awaitText("distill");
      open(dashboard, "clusterqueues/llm-training");
      browser.awaitText("distill");
      assertThat(browser.text()).doesNotContain("team-a", "pretrain");
    }
  }

  private Path kubeconfig(String token) throws IOException {
    String admin = Files.readString(cluster.kubeconfig());
    String server = admin.lines().filter(it -> it.contains("server:")).findFirst().orElseThrow();
    String ca =
        admin.lines().filter(it -> it.contains("certificate-authority")).findFirst().orElse("");
    return Files.writeString(
        folder.resolve("reader.kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: c
          cluster:
            %s
            %s
        users:
        - name: reader
          user: {token: %s}
        contexts:
        - name: c
          context: {cluster: c, user: reader}
        current-context: c
        """
            .formatted(server.strip(), ca.strip(), token));
  }
}
