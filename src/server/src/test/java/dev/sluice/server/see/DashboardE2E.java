package dev.sluice.server.see;

import static dev.sluice.server.see.Aggregated.BOUND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.server.dashboard.DashboardServer;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.browser.Chromium;
import dev.sluice.testkit.browser.NeedsChromium;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard in a real browser, of a real API server, beside a scheduler that decides. Pictures
 * are in {@code target/dashboard}; {@code -Dsluice.docs.write=true} makes those of the pages, too.
 */
@FullTier
@NeedsControlPlane
@NeedsChromium
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class DashboardE2E {
  private static final String API = "/apis/view.sluice.dev/v1alpha1";
  private static final String WORKLOADS = "/apis/kueue.x-k8s.io/v1beta2/namespaces/%s/workloads";
  private static final String HOSTILE = "<img src=x onerror=\"document.title='owned'\">";
  private static final Path PICTURES = Path.of("target/dashboard").toAbsolutePath();
  private static final Path DOCS = Path.of("../../docs/images").toAbsolutePath();

  @TempDir private static Path folder;

  private Aggregated setting;
  private ApiClient admin;
  private Scheduling scheduling;
  private DashboardServer dashboard;
  private Chromium browser;

  @BeforeAll
  void aClusterInWhichAllGpusAreTaken() throws IOException {
    setting = new Aggregated(folder);
    admin = setting.cluster.client();
    setting.createUserRoles();
    var cluster = new ResearchCluster(setting::create);
    cluster.createQueues();
    scheduling =
        Scheduling.alone(
            setting.cluster.kubeconfig(), Chosen.defaults("sluice-system"), new Supervisor());
    cluster.createRunningJobs();
    awaitWaiting("llm-training", 0, 2);
    awaitWaiting("llm-serving", 0, 1);
    awaitWaiting("vision", 0, 3);
    cluster.createWaitingJobs();
    awaitWaiting("llm-training", 5, 2);
    awaitWaiting("vision", 1, 3);
    awaitWaiting("batch", 0, 1);
    admin.await(
        API + "/namespaces/team-a/workloads/pretrain-large/timeline",
        BOUND,
        it -> it.toString().contains("QuotaReserved"));
    dashboard = DashboardServer.start(ClusterAccess.of(setting.cluster.kubeconfig()), 0, "team-a");
  }

  private void awaitWaiting(String queue, int waiting, int holding) {
    admin.await(
        API + "/standing",
        BOUND,
        it -> {
          JsonNode node =
              it.findParents("name").stream()
                  .filter(parent -> parent.path("name").asText().equals(queue))
                  .findFirst()
                  .orElse(it);
          return node.path("waiting").asInt(-1) == waiting
              && node.path("holding").asInt(-1) == holding;
        });
  }

  @AfterAll
  void end() {
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

  @BeforeEach
  void aBrowser() throws IOException {
    browser = Chromium.start(Files.createTempDirectory(folder, "browser"));
    browser.show(1280, 800, "light", false);
  }

  @AfterEach
  void noBrowser() {
    browser.close();
  }

  private String address(String fragment) {
    return dashboard.address().replaceFirst("#.*", "#/" + fragment);
  }

  /** Opens the address with the key, and then another page of the same tab. */
  private void open(String fragment) {
    browser.open(dashboard.address());
    browser.awaitText("llm-training");
    browser.evaluate("document.querySelector('main h1').dataset.before = ''");
    browser.open(address(fragment));
    if (!fragment.isEmpty()) { // else it is the same page
      browser.await("!document.querySelector('h1[data-before]')");
    }
  }

  @Test
  void aNewcomerFindsWhyAJobWaitsAndWhatWouldHelp() {
    JsonNode explanation =
        admin.get(API + "/namespaces/team-a/workloads/pretrain-large/explanation").orThrow().json();

    browser.open(dashboard.address());
    browser.awaitText("Inactive: ");
    assertThat(browser.evaluate("location.hash").asText()).doesNotContain("key");
    browser.click("a.name", "llm-training");
    browser.awaitText("Waiting 5");
    browser.awaitText("12 borrowed");
    browser.click("a.name", "pretrain-large");
    browser.awaitText("What would help");
    browser.awaitText("Created");

    assertThat(browser.text().replaceAll("\\s+", " "))
        .containsIgnoringCase(explanation.path("because").asText())
        .containsIgnoringCase(explanation.at("/remedies/0/change").asText())
        .contains("finetune-13b", "No quota yet", "Created");
    browser.evaluate("history.back()");
    browser.awaitText("Waiting 5");
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  void whatAJobAndAQuotaWouldDoIsShownBeforeItIsDone() {
    open("whatif?namespace=team-a");
    browser.fill(
        "#manifests",
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: try
          labels: {kueue.x-k8s.io/queue-name: training, kueue.x-k8s.io/priority-class: low}
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
    browser.awaitText("Use before and after");
    browser.show(1280, 1100, "light", false);
    browser.picture(PICTURES.resolve("whatif-result.png"));
    browser.fill(
        "#manifests",
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: training, namespace: team-b}
        spec: {clusterQueue: llm-training, stopPolicy: HoldAndDrain}
        """);
    browser.click("button", "Simulate");
    browser.awaitText("Who would lose quota");
    assertThat(browser.text()).contains("finetune-13b");
    browser.fill("#manifests", "{{{");
    browser.click("button", "Simulate");
    browser.awaitText("no YAML");
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  void anotherQuotaIsTriedInAForm() throws IOException {
    open("clusterqueues/llm-training");
    browser.awaitText("12 borrowed");
    browser.awaitText("Last hour");
    browser.await("document.querySelectorAll('.usage figure').length === 3");
    browser.click(".heading a", "Try another quota");
    browser.await(
        "document.querySelector('[aria-label=\"Nominal of GPU, h100\"]')?.value === '32'");
    browser.fill("[aria-label='Nominal of GPU, h100']", "128");
    browser.fill("[aria-label='Lending limit of GPU, h100']", "0");
    browser.click("button", "Simulate this quota");
    browser.awaitText("Nobody would lose quota");
    browser.awaitText("Use before and after");

    assertThat(
            browser
                .evaluate(
                    "[...document.querySelectorAll('.result tbody tr')].map(it => it.innerText)"
                        + ".filter(it => it.includes('llm-training') && it.includes('GPU')).join()")
                .asText()
                .replaceAll("\\s+", " "))
        .contains("h100 44");
    for (String colors : List.of("light", "dark", "forced")) {
      browser.show(1280, 1100, colors.equals("light") ? "light" : "dark", colors.equals("forced"));
      assertThat(browser.inaccessible()).as(colors).isEmpty();
      browser.picture(PICTURES.resolve("whatif-quota-" + colors + ".png"));
    }
    browser.show(320, 900, "light", false);
    assertThat(browser.evaluate("document.documentElement.scrollWidth - innerWidth").asInt())
        .isLessThanOrEqualTo(0);
    browser.fill("[aria-label='Nominal of GPU, h100']", "many");
    browser.click("button", "Simulate this quota");
    browser.awaitText("many");
    assertThat(
            browser.evaluate("document.querySelector('.result .notice.bad h2').innerText").asText())
        .isEqualTo("This cannot be shown");
    browser.click("button", "Reset");
    browser.await("document.querySelector('[aria-label=\"Nominal of GPU, h100\"]').value === '32'");
  }

  @Test
  void hostileTextStaysText() {
    JsonNode workload =
        admin
            .get(WORKLOADS.formatted("team-c"))
            .orThrow()
            .json()
            .path("items")
            .valueStream()
            .filter(it -> it.at("/metadata/name").asText().startsWith("job-segmenter"))
            .findFirst()
            .orElseThrow();
    String name = workload.at("/metadata/name").asText();
    admin
        .serverSideApply(
            WORKLOADS.formatted("team-c") + "/" + name + "/status",
            "somebody",
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"%s",
            "namespace":"team-c"},"status":{"conditions":[{"type":"Custom","status":"True",
            "reason":"Odd","lastTransitionTime":"2026-01-01T00:00:00Z","message":%s}]}}\
            """
                .formatted(name, JsonNodeFactory.instance.textNode(HOSTILE)))
        .orThrow();

    open("namespaces/team-c/workloads/" + name);
    browser.awaitText(HOSTILE);
    browser.open(address("clusterqueues/%3Cimg%20src=x%20onerror=%22document.title='owned'%22%3E"));
    browser.awaitText("There is nothing of that name");

    assertThat(browser.evaluate("document.querySelectorAll('img[src=x]').length").asInt()).isZero();
    assertThat(browser.evaluate("document.title").asText()).doesNotStartWith("owned");
  }

  @Test
  void newRowsWaitUntilTheReaderWantsThem() {
    open("clusterqueues/batch");
    browser.awaitText("Nobody waits in this queue");
    new ResearchCluster(setting::create).job("team-c", "too-large", "batch", "low", 9, 4, "", 0);
    browser.awaitText("1 new");

    assertThat(browser.text()).contains("Waiting 1").doesNotContain("too-large");
    browser.click("button", "1 new");
    browser.awaitText("too-large");
    admin.delete("/apis/batch/v1/namespaces/team-c/jobs/too-large").orThrow();
    deleteWorkloads("job-too-large");
    browser.awaitText("1 gone");
    assertThat(browser.text()).as("it stays in its place").contains("too-large", "left");
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  void theLogTellsWhatHappenedLastAndNewEntriesWait() {
    open("clusterqueues/batch");
    browser.awaitText("nightly-report");
    browser.click(".heading a", "Log");
    browser.awaitText("Got quota");
    assertThat(browser.text()).contains("job-nightly-report", "The server remembers since");
    assertThat(browser.text()).doesNotContain("pretrain", "detector");

    new ResearchCluster(setting::create).job("team-c", "another", "batch", "low", 9, 4, "", 0);
    browser.awaitText("1 new");
    assertThat(browser.text()).doesNotContain("another");
    browser.click("button", "new");
    browser.awaitText("another");
    admin.delete("/apis/batch/v1/namespaces/team-c/jobs/another").orThrow();
    deleteWorkloads("job-another");
    browser.awaitText("new · show");

    browser.open(address("log?workload=pretrain-70b&reason=Admitted"));
    browser.await("document.querySelectorAll('tbody tr').length === 1");
    browser.fill("input[placeholder^=such]", "Queued");
    browser.evaluate(
        "document.querySelector('input[placeholder^=such]').dispatchEvent(new Event('change'))");
    browser.awaitText("Queued");
    assertThat(browser.evaluate("location.hash").asText()).contains("reason=Queued");
    browser.awaitText("job-pretrain-70b");
    assertThat(browser.problems()).isEmpty();
  }

  /** There is no garbage collector in this cluster. */
  private void deleteWorkloads(String prefix) {
    admin
        .get(WORKLOADS.formatted("team-c"))
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .map(it -> it.at("/metadata/name").asText())
        .filter(it -> it.startsWith(prefix))
        .forEach(it -> admin.delete(WORKLOADS.formatted("team-c") + "/" + it));
  }

  @Test
  void everyPageIsForEverybody() throws IOException {
    List<String> pages =
        List.of(
            "",
            "clusterqueues/llm-training",
            "namespaces/team-a/workloads/pretrain-large",
            "namespaces/team-a/localqueues/training",
            "nodes",
            "log",
            "whatif");
    for (String page : pages) {
      open(page);
      browser.await("document.querySelector('main h1') && !document.querySelector('.loading')");
      for (String colors : List.of("light", "dark", "forced")) {
        browser.show(1280, 800, colors.equals("light") ? "light" : "dark", colors.equals("forced"));
        assertThat(browser.inaccessible()).as("%s in %s", page, colors).isEmpty();
        String name = (page.isEmpty() ? "overview" : page.replace('/', '-')) + "-" + colors;
        browser.picture(PICTURES.resolve(name + ".png"));
      }
      browser.show(320, 900, "light", false);
      assertThat(browser.evaluate("document.documentElement.scrollWidth - innerWidth").asInt())
          .as("%s is not wider than a phone", page)
          .isLessThanOrEqualTo(0);
      browser.picture(
          PICTURES.resolve((page.isEmpty() ? "overview" : page.replace('/', '-')) + "-phone.png"));
      browser.show(1280, 800, "light", false);
    }
  }

  @Test
  void thePicturesOfThePagesShowThisCluster() {
    picture("", 640, "light", "dashboard-queues.png");
    picture("clusterqueues/llm-training", 730, "light", "dashboard-queue.png");
    picture("namespaces/team-a/workloads/pretrain-large", 860, "dark", "dashboard-workload.png");
    picture("log", 640, "light", "dashboard-log.png");
  }

  private void picture(String page, int height, String colors, String name) {
    open(page);
    browser.await("document.querySelector('main h1') && !document.querySelector('.loading')");
    browser.show(1280, height, colors, false);
    browser.picture(PICTURES.resolve(name));
    if (Boolean.getBoolean("sluice.docs.write")) {
      browser.picture(DOCS.resolve(name));
    }
    assertThat(PICTURES.resolve(name)).isNotEmptyFile();
  }

  @Test
  void whoHasNoKeyIsToldWhereItIs() {
    browser.open(address(""));
    browser.awaitText("Open the address that sluice dashboard has printed");
    assertThat(browser.text()).doesNotContain("llm-training");
  }

  @Test
  void aTokenShowsWhatItsOwnerMaySeeAsLongAsThatIsSo() {
    String token =
        setting.tokenOf("team-a", "reader", "kueue-view-user-role", "kueue-workload-viewer-role");
    String page = "https://127.0.0.1:%d/ui/".formatted(setting.port());
    browser.open(page);
    browser.fill("input[type=password]", "nonsense");
    browser.click("button", "Sign in");
    browser.awaitText("The token is not accepted");
    browser.fill("input[type=password]", token);
    browser.click("button", "Sign in");
    browser.awaitText("You may not see this");
    browser.open(page + "#/namespaces/team-a/localqueues/training");
    browser.awaitText("pretrain-large");

    admin
        .delete(
            "/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/rolebindings/"
                + "reader-kueue-view-user-role")
        .orThrow();
    browser.awaitText("You may not see this");
    assertThat(browser.text()).doesNotContain("pretrain-large");
  }
}
