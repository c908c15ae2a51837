package dev.sluice.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.PlainServer;
import dev.sluice.testkit.browser.Chromium;
import dev.sluice.testkit.browser.NeedsChromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The pages in a real browser, of a server that answers whatever a test likes. */
@FullTier
@NeedsChromium
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class OddDataE2E {
  private static final List<String> PAGES =
      List.of(
          "",
          "clusterqueues/q",
          "namespaces/n/localqueues/q",
          "namespaces/n/workloads/w",
          "whatif",
          "whatif?queue=q",
          "log",
          "log?queue=%2F&before=x",
          "nodes",
          "nodes?flavor=f&pods=-1&requests=%2F&under=%2F%2F&from=x",
          "nothing/of/that/name",
          "clusterqueues/%E0%A4%A");

  private static final List<String> ODD =
      List.of(
          "{}",
          "{\"items\":null,\"workload\":null,\"shortages\":7,\"remedies\":\"x\",\"asOf\":3}",
          "{\"items\":[null,5,\"x\",[],{}],\"total\":-1,\"shortages\":[null,{}],\"remedies\":[{}]}",
          """
          {"items":[{"kind":"ClusterQueue","name":"q","waiting":"many","holding":null,"quotas":[null,
          {"flavor":null,"resource":7,"nominal":"x","quota":"-5","used":"1e400","borrowed":{},
          "lent":"Ki"},{"quota":"10","used":"3","resource":"cpu","flavor":"f"}],"inactive":5,
          "children":{}}],"resourceGroups":[null,{"flavors":"x"},{"coveredResources":7,"flavors":[null,
          {"name":{},"resources":[null,{"name":7,"nominalQuota":{},"lendingLimit":[1]}]}]}],
          "total":1e99,"phase":"Odd","because":{"a":1},"ahead":1.5,"wakesOn":[null,{}],
          "shortages":[{"levels":[{"node":null}],"holders":[{"namespace":null},{"namespace":1}]}]}\
          """,
          """
          {"from":7,"to":"2026-01-01T12:00:00Z","items":[{"kind":"ClusterQueue","name":"q","flavor":{},
          "resource":"cpu","steps":[null,7,{},{"at":"x","used":"1"},{"at":"2026-01-01T11:30:00Z","used":"x",
          "nominal":"-3","borrowed":"9"},{"at":"2026-01-01T11:20:00Z"},{"at":"2026-01-01T11:50:00Z",
          "used":"1e400","nominal":"<unlimited>"},{"at":"2027-01-01T11:50:00Z","used":"1"}]}]}\
          """,
          """
          {"nodes":"x","items":[{"flavor":"f","levels":["l",null,{}],"nodes":1e99,"resources":[7,null,"cpu"],
          "problem":{},"name":{},"failed":-1,"amounts":[null,{"resource":"cpu","used":"x"}]}],"level":7,
          "levels":"x","sum":[],"gang":{"pods":"x","requests":{"cpu":null}},"total":3,"offset":-7}\
          """);

  @TempDir private static Path folder;

  private String answer = "{}";
  private PlainServer cluster;
  private DashboardServer dashboard;
  private Chromium browser;

  @BeforeAll
  void aBrowserAndAServer() throws IOException {
    cluster = PlainServer.start(_ -> answer);
    dashboard = DashboardServer.start(ClusterAccess.of(cluster.kubeconfig(folder)), 0, null);
    browser = Chromium.start(Files.createTempDirectory(folder, "browser"));
    browser.show(1280, 800, "light", false);
    browser.open(dashboard.address());
    browser.await("document.querySelector('main h1')");
  }

  @AfterAll
  void end() {
    if (browser != null) {
      browser.close();
    }
    if (dashboard != null) {
      dashboard.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Reloads the page, so that nothing of the last one is left. */
  private void open(String page) {
    browser.open(dashboard.address().replaceFirst("#.*", "?" + System.nanoTime() + "#/" + page));
    browser.await(
        "document.querySelector('main h1') && !document.querySelector('.loading') && %s"
            .formatted(page.isEmpty() ? "document.querySelector('.stats, .nothing')" : "true"));
  }

  @Test
  void noPageBreaksWhateverAServerAnswers() {
    for (String odd : ODD) {
      answer = odd;
      for (String page : PAGES) {
        open(page);
      }
      assertThat(browser.problems())
          .as(odd)
          .allMatch(it -> it.startsWith("network:")); // of the path that is not forwarded
    }
  }

  @Test
  void manyQueuesFlavorsAndLongNamesFitAPageOfBoundedSize() {
    String name = "q".repeat(253);
    String quotas =
        IntStream.range(0, 64)
            .mapToObj(
                it ->
                    """
                    {"flavor":"flavor-%d","resource":"cpu","quota":"8","used":"9","borrowed":"1"}\
                    """
                        .formatted(it))
            .collect(Collectors.joining(","));
    answer =
        IntStream.range(0, 1_000)
            .mapToObj(
                it ->
                    """
                    {"kind":"ClusterQueue","name":"%d-%s","waiting":1,"quotas":[%s]}\
                    """
                        .formatted(it, name, quotas))
            .collect(Collectors.joining(",", "{\"items\":[", "]}"));

    open("");

    browser.awaitText("1,000");
    JsonNode wider = browser.evaluate("document.documentElement.scrollWidth - innerWidth");
    assertThat(wider.asInt()).isLessThanOrEqualTo(0);
    assertThat(browser.evaluate("document.querySelectorAll('*').length").asInt())
        .isLessThanOrEqualTo(1_500);
    browser.fill("#q", "999-");
    browser.await("document.querySelectorAll('tbody tr').length === 1");
    assertThat(browser.evaluate("location.hash").asText()).contains("q=999-");
  }

  /** Each entry names a Workload, its queues, and the one that preempted it. */
  @Test
  void aFullPageOfTheLogHasABoundedSize() {
    answer = "{}";
    open("log");
    int limit =
        cluster.asked().stream()
            .map(Pattern.compile("/clusterlog\\?limit=([0-9]+)")::matcher)
            .filter(Matcher::find)
            .mapToInt(it -> Integer.parseInt(it.group(1)))
            .max()
            .orElseThrow();
    answer =
        IntStream.range(0, limit)
            .mapToObj(
                it ->
                    """
                    {"id":"%d","at":"2026-01-01T11:00:00Z","step":"Evicted","namespace":"n",
                    "name":"w-%d","localQueue":"l","clusterQueue":"q","reason":"Preempted",
                    "preemptor":{"namespace":"n","name":"p"}}\
                    """
                        .formatted(it, it))
            .collect(Collectors.joining(",", "{\"items\":[", "]}"));

    open("log");

    browser.await("document.querySelectorAll('tbody tr').length === " + limit);
    assertThat(browser.evaluate("document.querySelectorAll('*').length").asInt())
        .isLessThanOrEqualTo(1_500);
  }

  /** A queue that borrows, is empty for a while, and gets more quota. */
  @Test
  void theLastHourIsAChartForEyesAndATableForOthers() throws IOException {
    String steps =
        """
        [{"at":"2026-01-01T11:12:00Z","nominal":"8","used":"5","borrowed":"0"},
        {"at":"2026-01-01T11:20:00Z","nominal":"8","used":"13","borrowed":"5"},
        {"at":"2026-01-01T11:31:00Z","nominal":"8","used":"7","borrowed":"0"},
        {"at":"2026-01-01T11:40:00Z","nominal":"8","used":"0","borrowed":"0"},
        {"at":"2026-01-01T11:44:00Z"},
        {"at":"2026-01-01T11:48:30Z","nominal":"12","used":"9","borrowed":"0"},
        {"at":"2026-01-01T11:57:00Z","nominal":"12","used":"14","borrowed":"2"}]\
        """;
    String item =
        """
        {"kind":"ClusterQueue","name":"q","flavor":"%s","resource":"%s","steps":%s,"quotas":[
        {"flavor":"h100","resource":"nvidia.com/gpu","quota":"12","used":"14","borrowed":"2"}]}\
        """;
    answer =
        """
        {"from":"2026-01-01T11:12:00Z","to":"2026-01-01T12:00:00Z","complete":true,"total":2,
        "items":[%s,%s]}\
        """
            .formatted(
                item.formatted("h100", "nvidia.com/gpu", steps),
                item.formatted(
                    "spot",
                    "cpu",
                    "[{\"at\":\"2026-01-01T11:12:00Z\",\"used\":\"0\","
                        + "\"nominal\":\"16\",\"borrowed\":\"0\"}]"));

    open("clusterqueues/q");
    browser.awaitText("now 14 · peak 14 · borrowed up to 5");
    browser.awaitText("remembered since");

    assertThat(browser.evaluate("document.querySelectorAll('.usage td').length").asInt()).isZero();
    browser.click(".usage summary", "Numbers of GPU");
    browser.await("document.querySelectorAll('.usage tbody tr').length === 7");
    assertThat(browser.text().replaceAll("\\s+", " ")).contains("8 13 5", "12 9 0", "not there");
    for (String colors : List.of("light", "dark", "forced")) {
      browser.show(1280, 900, colors.equals("light") ? "light" : "dark", colors.equals("forced"));
      assertThat(browser.inaccessible()).as(colors).isEmpty();
      browser.picture(Path.of("target/dashboard/usage-" + colors + ".png").toAbsolutePath());
    }
    browser.show(320, 900, "light", false);
    assertThat(browser.evaluate("document.documentElement.scrollWidth - innerWidth").asInt())
        .isLessThanOrEqualTo(0);
    browser.picture(Path.of("target/dashboard/usage-phone.png").toAbsolutePath());
    browser.show(1280, 800, "light", false);
  }

  /** A page of the largest flavor, as the server bounds it. */
  @Test
  void fiveThousandNodesAreAMapOfFewElementsAndATableOfPages() {
    String nodes =
        IntStream.range(0, 500)
            .mapToObj(
                it ->
                    """
                    {"name":"node-%d","nodes":1%s,"gangs":%d,"amounts":[{"resource":"nvidia.com/gpu",
                    "capacity":"8","used":"%d","free":"%d"}]}\
                    """
                        .formatted(
                            it, it % 9 == 0 ? ",\"failed\":1" : "", it % 2, it % 9, 8 - it % 9))
            .collect(Collectors.joining(",", "[", "]"));
    answer =
        """
        {"nodes":5000,"flavor":"f","level":"kubernetes.io/hostname","levels":["kubernetes.io/hostname"],
        "resources":["nvidia.com/gpu"],"gang":{"pods":8,"requests":{"nvidia.com/gpu":"1"}},"total":5000,
        "offset":0,"sum":{"nodes":5000},"items":%s}\
        """
            .formatted(nodes)
            .replace(
                "{\"name\":\"node-0\"",
                """
                {"flavor":"f","levels":["kubernetes.io/hostname"],"resources":["nvidia.com/gpu"],
                "name":"node-0"\
                """
                    .strip());

    open("nodes");

    browser.awaitText("node-49");
    browser.awaitText("1 to 50 of 5,000");
    assertThat(browser.evaluate("document.querySelectorAll('*').length").asInt())
        .isLessThanOrEqualTo(1_500);
    browser.click("button", "Next");
    browser.awaitText("node-99");
    assertThat(browser.evaluate("location.hash").asText()).contains("from=50");
    assertThat(browser.text()).doesNotContain("node-49");
    assertThat(browser.evaluate("document.documentElement.scrollWidth - innerWidth").asInt())
        .isLessThanOrEqualTo(0);
    browser.picture(Path.of("target/dashboard/nodes-5000.png").toAbsolutePath());
  }

  @Test
  void aServerThatIsAwayLeavesWhatWasKnownAndSaysSinceWhen() throws IOException {
    Path own = Files.createDirectory(folder.resolve("away"));
    PlainServer away =
        PlainServer.start(_ -> "{\"items\":[{\"kind\":\"ClusterQueue\",\"name\":\"kept\"}]}");
    try (DashboardServer ownDashboard =
        DashboardServer.start(ClusterAccess.of(away.kubeconfig(own)), 0, null)) {
      browser.open(ownDashboard.address());
      browser.awaitText("kept");
      browser.awaitText("Live");

      away.close();

      browser.awaitText("Old: of ");
      assertThat(browser.text()).contains("kept", "the API server cannot be reached");
    } finally {
      away.close();
    }
  }

  @Test
  void quantitiesAndTimesReadAsPeopleWriteThem() {
    answer = "{}";
    open("");

    JsonNode shown =
        browser.evaluate(
            """
            import('/ui/format.js').then(it => [it.amount('10500m', 'cpu'), it.amount('64Gi',
              'memory'), it.amount('1536Mi', 'memory'), it.amount('65536Mi', 'memory'),
              it.amount('120000', 'cpu'), it.amount('odd', 'cpu'), it.amount('0', 'cpu'),
              it.duration(59), it.duration(3600), it.duration(93784), it.words('NoQuotaAvailable')])\
            """);

    assertThat(shown.valueStream().map(JsonNode::asText))
        .containsExactly(
            "10.5",
            "64Gi",
            "1.5Gi",
            "64Gi",
            "120k",
            "odd",
            "0",
            "59s",
            "1h",
            "1d 2h",
            "No quota available");
  }
}
