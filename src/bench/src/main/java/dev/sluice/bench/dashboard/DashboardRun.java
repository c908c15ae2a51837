package dev.sluice.bench.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.bench.dashboard.OpenDashboards.Seen;
import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.testkit.browser.Chromium;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** What a reader of the dashboard waits for, and what it costs, while the cluster changes. */
public final class DashboardRun {
  private static final int LOADS = 5;

  /** How many stays on a page many dashboards are open before their cost is measured. */
  private static final int WARM_STAYS = 6;

  private static final String ROWS = "table.tree tbody tr";

  /** Notes when the first rows were there, and each task that held up the page. */
  private static final String NOTES =
      """
      (() => {
        const noted = window.sluiceBench = {firstRows: 0, tasks: []};
        new PerformanceObserver(list => list.getEntries().forEach(
          it => noted.tasks.push({page: location.hash.split('?')[0], millis: it.duration})))
          .observe({type: 'longtask', buffered: true});
        const look = new MutationObserver(() => {
          if (noted.firstRows === 0 && document.querySelector('%s')) {
            noted.firstRows = performance.now();
            look.disconnect();
          }
        });
        look.observe(document, {childList: true, subtree: true});
      })()\
      """
          .formatted(ROWS);

  private final DashboardWorld world;
  private final DashboardProcess process;
  private final Chromium browser;
  private final Size size;

  /**
   * A task that held up a page.
   *
   * @param page the kind of the page, such as {@code nodes}; empty for the first one
   */
  public record Task(String page, double millis) {
    private static Task of(JsonNode note) {
      String[] path = note.path("page").asText().split("/", -1); // #/namespaces/a/workloads/b
      String kind = path.length > 3 ? path[3] : path.length > 1 ? path[1] : "";
      return new Task(kind, note.path("millis").asDouble());
    }
  }

  /**
   * A look at the heaps, each after a collection.
   *
   * @param page bytes of the objects of the page
   * @param process bytes of the heap of the process
   */
  public record Heaps(long page, long process) {}

  /**
   * What the process cost in a window.
   *
   * @param ofACore its processor time to the time of the window
   * @param seen by the dashboards that were open
   */
  public record Cost(double ofACore, Seen seen) {}

  /**
   * What was measured.
   *
   * @param firstRows milliseconds from the beginning of each load to the first rows
   * @param changes a second that the API server took
   * @param tasks those over 50 ms while there were changes
   * @param elements the most of any page
   * @param heaps one for each minute of changes
   * @param atRest cost with one page open
   * @param changing the same with changes
   * @param changingMany the same with changes, and with more dashboards open
   * @param restMany the same with more dashboards open, at rest
   */
  public record Result(
      List<Double> firstRows,
      double changes,
      List<Task> tasks,
      int elements,
      List<Heaps> heaps,
      Cost atRest,
      Cost changing,
      Cost changingMany,
      Cost restMany) {
    public Result {
      firstRows = List.copyOf(firstRows);
      tasks = List.copyOf(tasks);
      heaps = List.copyOf(heaps);
    }
  }

  /**
   * What is played.
   *
   * @param waiting Workloads that wait
   * @param rate changes a second
   * @param minutes how long a reader turns pages meanwhile
   * @param stay how long the reader stays on a page; the process is measured for three times that
   * @param open how many dashboards are open besides, in the end
   */
  public record Size(
      int queues, int nodes, int waiting, double rate, int minutes, Duration stay, int open) {}

  /**
   * Starts all, and measures.
   *
   * @param program the launcher of the dashboard
   * @param folder for what processes say and keep
   * @param progress receives a line now and then
   * @throws IOException if a process does not start, or does not answer
   */
  public static Result play(Size size, String program, Path folder, Consumer<String> progress)
      throws IOException {
    try (FlowCluster cluster = FlowCluster.bare()) {
      DashboardWorld world = new DashboardWorld(cluster, size.queues(), size.waiting());
      world.create(size.nodes());
      progress.accept("the cluster is there");
      try (DashboardProcess process =
              DashboardProcess.start(
                  program, cluster.kubeconfig(), folder.resolve("dashboard.log"));
          Chromium browser = Chromium.start(folder)) {
        return new DashboardRun(world, process, browser, size).play(progress);
      }
    }
  }

  private DashboardRun(
      DashboardWorld world, DashboardProcess process, Chromium browser, Size size) {
    this.world = world;
    this.process = process;
    this.browser = browser;
    this.size = size;
  }

  private Result play(Consumer<String> progress) throws IOException {
    browser.beforeEachPage(NOTES);
    browser.show(1280, 900, "light", false);
    List<Double> firstRows = new ArrayList<>();
    for (int i = 0; i < LOADS; i++) {
      browser.open("about:blank");
      browser.open(process.page(""));
      browser.await("window.sluiceBench.firstRows > 0");
      firstRows.add(browser.evaluate("window.sluiceBench.firstRows").asDouble());
    }
    browser.evaluate("(window.sluiceBench.tasks.length = 0, true)");
    List<Heaps> heaps = new ArrayList<>();
    int elements = 0;
    double changes;
    List<Task> tasks;
    Cost changing;
    Cost changingMany;
    try (DashboardWorld.Changes running = world.new Changes(size.rate())) {
      for (int i = 0; i < size.minutes(); i++) {
        elements = Math.max(elements, turnPages(i));
        Heaps now = new Heaps(browser.liveHeap(), process.liveHeap());
        heaps.add(now);
        progress.accept(
            "minute %d of %d: page %,d kB, process %,d kB"
                .formatted(i + 1, size.minutes(), now.page() / 1024, now.process() / 1024));
      }
      tasks = browser.evaluate("window.sluiceBench.tasks").valueStream().map(Task::of).toList();
      changingMany = cost(size.open());
      changing = cost(0); // last, so that both are of code that is compiled
      changes = running.rate();
    }
    Cost restMany = cost(size.open());
    return new Result(
        firstRows, changes, tasks, elements, heaps, cost(0), changing, changingMany, restMany);
  }

  /** A minute of a reader; the most elements of a page. */
  private int turnPages(int minute) {
    String queue = DashboardWorld.queue(minute % size.queues());
    int most = 0;
    for (String page :
        List.of(
            "",
            "clusterqueues/" + queue,
            "namespaces/default/localqueues/" + queue,
            "namespaces/default/workloads/workload-%05d".formatted(minute % size.queues()),
            "nodes",
            "log")) {
      browser.open(process.page(page));
      pass(size.stay());
      most = Math.max(most, browser.evaluate("document.querySelectorAll('*').length").asInt());
    }
    return most;
  }

  private Cost cost(int open) {
    browser.open(process.page(""));
    try (OpenDashboards dashboards = new OpenDashboards(process, open, size.queues())) {
      // until each has an answer, and the compiler has finished with what many ask
      pass(size.stay().multipliedBy(open > 0 ? WARM_STAYS : 1));
      Duration cpu = process.cpu();
      Seen seen = dashboards.seen();
      long began = System.nanoTime();
      pass(size.stay().multipliedBy(3));
      double window = System.nanoTime() - began;
      return new Cost(process.cpu().minus(cpu).toNanos() / window, dashboards.seen().since(seen));
    }
  }

  private static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
    }
  }
}
