package dev.sluice.server.see;

import static dev.sluice.server.see.Aggregated.BOUND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.server.dashboard.DashboardServer;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.browser.Chromium;
import dev.sluice.testkit.browser.NeedsChromium;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of nodes in a real browser: a hall of blocks, racks and nodes in which a scheduler has
 * placed jobs. Pictures are in {@code target/dashboard}; {@code -Dsluice.docs.write=true} makes
 * that of the pages, too.
 */
@FullTier
@NeedsControlPlane
@NeedsChromium
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class NodesE2E {
  private static final String OURS = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final String API = "/apis/view.sluice.dev/v1alpha1/";
  private static final String GANG = "pods=8&requests=nvidia.com%2Fgpu:8";
  private static final Path PICTURES = Path.of("target/dashboard").toAbsolutePath();
  private static final Path DOCS = Path.of("../../docs/images").toAbsolutePath();
  private static final int RACKS = 8;
  private static final int NODES = 8;

  @TempDir private static Path folder;

  private Aggregated setting;
  private Scheduling scheduling;
  private DashboardServer dashboard;
  private Chromium browser;

  @BeforeAll
  void aHallInWhichJobsArePlaced() throws IOException {
    setting = new Aggregated(folder, null);
    create(
        "Topology",
        "topologies",
        "hall",
        """
        'levels':[{'nodeLabel':'example.com/block'},{'nodeLabel':'example.com/rack'},
        {'nodeLabel':'kubernetes.io/hostname'}]\
        """);
    create( // an API server without a node controller leaves this taint on all nodes
        "ResourceFlavor",
        "resourceflavors",
        "h100",
        """
        'topologyName':'hall','nodeLabels':{'pool':'h100'},
        'tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Exists'}]\
        """);
    create("ResourceFlavor", "resourceflavors", "spare", "'nodeLabels':{'pool':'spare'}");
    for (int rack = 0; rack < RACKS; rack++) {
      for (int i = 0; i < NODES; i++) {
        createNode("h100", rack, i);
      }
    }
    createNode("spare", 0, 9);
    setting.create("/api/v1/namespaces", "{'metadata':{'name':'team'}}");
    create(
        "ClusterQueue",
        "clusterqueues",
        "training",
        """
        'namespaceSelector':{},'resourceGroups':[{'coveredResources':['nvidia.com/gpu'],'flavors':[
        {'name':'h100','resources':[{'name':'nvidia.com/gpu','nominalQuota':'1000'}]}]}]\
        """);
    create("LocalQueue", "namespaces/team/localqueues", "training", "'clusterQueue':'training'");
    scheduling =
        Scheduling.alone(
            setting.cluster.kubeconfig(), Chosen.defaults("sluice-system"), new Supervisor());
    for (int i = 0; i < 5; i++) { // three fill racks of their own, two share others
      job("gang-" + i, i < 3 ? 8 : 5, 8);
    }
    job("small", 6, 2);
    setting.cluster.client().await(domains("pods=1"), BOUND, it -> sum(it, "used").equals("284"));
    dashboard = DashboardServer.start(ClusterAccess.of(setting.cluster.kubeconfig()), 0, null);
    browser = Chromium.start(Files.createTempDirectory(folder, "browser"));
    browser.show(1280, 900, "light", false);
  }

  @AfterAll
  void end() {
    if (browser != null) {
      browser.close();
    }
    if (dashboard != null) {
      dashboard.close();
    }
    if (scheduling != null) {
      scheduling.close();
    }
    if (setting != null) {
      setting.close();
    }
  }

  private static String domains(String query) {
    return API + "topologies/hall/domains?" + query + "&requests=nvidia.com/gpu:1";
  }

  private static String sum(JsonNode domains, String what) {
    for (JsonNode amount : domains.at("/sum/amounts")) {
      if (amount.path("resource").asText().equals("nvidia.com/gpu")) {
        return amount.path(what).asText();
      }
    }
    return "";
  }

  private void create(String kind, String collection, String name, String spec) {
    setting.create(
        OURS + collection,
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s','metadata':{'name':'%s'},'spec':{%s}}"
            .formatted(kind, name, spec));
  }

  /** Some are cordoned, not ready, or have a taint that nobody tolerates. */
  private void createNode(String pool, int rack, int number) {
    String name = "%s-%d-%d".formatted(pool, rack, number);
    String spec =
        switch (rack * NODES + number) {
          case 50 -> "'unschedulable':true";
          case 53 -> "'taints':[{'key':'example.com/repair','effect':'NoSchedule'}]";
          default -> "";
        };
    boolean ready = rack != 7 || number > 2;
    setting.create(
        "/api/v1/nodes",
        """
        {'metadata':{'name':'%s','labels':{'pool':'%s','example.com/block':'block-%d',
        'example.com/rack':'rack-%d','kubernetes.io/hostname':'%1$s'}},'spec':{%s},
        'status':{'allocatable':{'cpu':'96','memory':'1024Gi','pods':'110','nvidia.com/gpu':'8'},
        'conditions':[{'type':'Ready','status':'%s'}]}}\
        """
            .formatted(name, pool, rack / 4, rack, spec, ready ? "True" : "False"));
  }

  private void job(String name, int pods, int gpus) {
    setting.create(
        "/apis/batch/v1/namespaces/team/jobs",
        """
        {'metadata':{'name':'%s','labels':{'kueue.x-k8s.io/queue-name':'training'}},'spec':{
        'suspend':true,'parallelism':%d,'completions':%2$d,'template':{'metadata':{'annotations':{
        'kueue.x-k8s.io/podset-required-topology':'example.com/rack'}},'spec':{
        'restartPolicy':'Never','containers':[{'name':'c','image':'i','resources':{
        'requests':{'nvidia.com/gpu':'%d'},'limits':{'nvidia.com/gpu':'%3$d'}}}]}}}}\
        """
            .formatted(name, pods, gpus));
  }

  private void open(String page) {
    browser.open(dashboard.address());
    browser.await("document.querySelector('main h1')");
    browser.open(dashboard.address().replaceFirst("#.*", "#/" + page));
  }

  @Test
  void fromTheHallDownToANode() {
    open("nodes");
    browser.awaitText("block-0");
    browser.awaitText("1 cordoned");
    browser.click("a.name", "block-1");
    browser.awaitText("rack-7");
    browser.click("a.name", "rack-7");
    browser.awaitText("h100-7-3");
    assertThat(browser.text()).contains("3 not ready");
    browser.evaluate("history.back()");
    browser.awaitText("rack-4");
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  void theGangsThatFitAreThoseThatTheServerCounts() {
    JsonNode racks =
        setting
            .cluster
            .client()
            .get(
                API
                    + "topologies/hall/domains?level=example.com/rack&pods=8&requests=nvidia.com/gpu:8")
            .orThrow()
            .json();
    int fitting = racks.at("/sum/gangs").asInt();
    assertThat(fitting).as("a rack that is empty and whole").isPositive();

    open("nodes?level=example.com%2Frack&resource=nvidia.com%2Fgpu");
    browser.awaitText("rack-7");
    browser.fill("input[type=number]", "8");
    browser.fill("input:not([type])", "8");
    browser.click("button", "Count gangs");

    browser.awaitText("Gangs of 8 × 8 GPU within one of 8 racks");
    assertThat(browser.text().replaceAll("\\s+", " "))
        .contains("Gangs of 8 × 8 GPU within one of 8 racks " + fitting);
    browser.click("button", "Clear");
    browser.await("!document.body.textContent.includes('Gangs of')");
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  void theMetricsSayHowLongForksTakeAndHowFarTheStateIsBehind() throws Exception {
    String api = "/apis/view.sluice.dev/v1alpha1/";
    setting.cluster.client().get(api + "inventory").orThrow(); // needs a fork
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + setting.httpPort() + "/metrics"))
            .timeout(Duration.ofSeconds(30))
            .build();
    String metrics;
    try (HttpClient client = HttpClient.newHttpClient()) {
      metrics = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    assertThat(metrics)
        .containsPattern("(?m)^sluice_fork_seconds_count [1-9]")
        .containsPattern("(?m)^sluice_fork_seconds_sum 0\\.")
        .containsPattern("(?m)^sluice_see_behind_seconds [0-9]");
  }

  @Test
  void theLogIsKeptWhereNoHistoryIs() {
    JsonNode log =
        setting
            .cluster
            .client()
            .await(
                API + "namespaces/team/log?reason=Admitted",
                BOUND,
                it -> it.at("/items").size() > 5)
            .json();

    assertThat(log.path("items").findValuesAsText("name"))
        .hasSize(6)
        .allMatch(it -> it.startsWith("job-"));
  }

  @Test
  void aClickOnTheMapGoesDown() {
    open("nodes?level=example.com%2Frack");
    browser.awaitText("rack-7");

    browser.evaluate(
        """
        (() => {
          const map = document.querySelector('.heat > svg');
          const {left, top, width, height} = map.getBoundingClientRect();
          const at = {bubbles: true, clientX: left + 5, clientY: top + 5};
          map.dispatchEvent(new MouseEvent('mousemove', at));
          map.dispatchEvent(new MouseEvent('click', at));
        })()\
        """);

    browser.awaitText("h100-0-7");
    assertThat(browser.evaluate("location.hash").asText()).contains("under=block-0%2Frack-0");
  }

  @Test
  void aFlavorWithoutATopologyShowsItsNodes() {
    open("nodes?flavor=spare");
    browser.awaitText("spare-0-9");
    assertThat(browser.text()).contains("GPU by node");
  }

  @Test
  void thePageIsForEverybody() throws IOException {
    for (String page :
        List.of("nodes", "nodes?level=example.com%2Frack&" + GANG, "nodes?under=block-1/rack-6")) {
      open(page);
      browser.await("document.querySelector('.heat') && !document.querySelector('.loading')");
      String name = "nodes" + page.replaceAll("[^a-z0-9]+", "-").substring("nodes".length());
      for (String colors : List.of("light", "dark", "forced")) {
        browser.show(1280, 900, colors.equals("light") ? "light" : "dark", colors.equals("forced"));
        assertThat(browser.inaccessible()).as("%s in %s", page, colors).isEmpty();
        browser.picture(PICTURES.resolve(name + "-" + colors + ".png"));
      }
      browser.show(320, 900, "light", false);
      assertThat(browser.evaluate("document.documentElement.scrollWidth - innerWidth").asInt())
          .as("%s is not wider than a phone", page)
          .isLessThanOrEqualTo(0);
      browser.picture(PICTURES.resolve(name + "-phone.png"));
      browser.show(1280, 900, "light", false);
    }
  }

  @Test
  void thePictureOfThePagesShowsThisHall() {
    open("nodes?level=example.com%2Frack&" + GANG);
    browser.await("document.querySelector('.heat') && !document.querySelector('.loading')");
    browser.show(1280, 900, "light", false);
    browser.picture(PICTURES.resolve("dashboard-nodes.png"));
    if (Boolean.getBoolean("sluice.docs.write")) {
      browser.picture(DOCS.resolve("dashboard-nodes.png"));
    }
    assertThat(PICTURES.resolve("dashboard-nodes.png")).isNotEmptyFile();
  }
}
