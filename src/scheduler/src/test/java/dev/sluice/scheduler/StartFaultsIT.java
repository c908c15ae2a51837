package dev.sluice.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.ApiKind;
import dev.sluice.api.workload.Workload;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.json.tree.Keep;
import dev.sluice.quota.Change;
import dev.sluice.scheduler.faults.AnyApiServer;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a scheduler starts and takes the lead, also when a fault is thrown into that work once. */
@Timeout(180)
class StartFaultsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  /** The list of Workloads, and of groups: the server has one answer for every question. */
  private static final String LIST =
      """
      {"metadata":{"resourceVersion":"5"},"items":[%s,%s],
      "groups":[{"versions":[{"groupVersion":"kueue.x-k8s.io/v1beta2"}]}]}\
      """
          .formatted(workload("a", 3), workload("b", 4));

  @TempDir private Path folder;
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final Supervisor supervisor =
      new Supervisor(
          (code, why) -> ends.add(code + " " + why), InstantSource.system(), System::nanoTime);
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  @AfterEach
  void close() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  private <T extends AutoCloseable> T open(T resource) {
    opened.push(resource);
    return resource;
  }

  private static String workload(String name, int version) {
    return """
    {"metadata":{"namespace":"n","name":"%s","uid":"u-%s","resourceVersion":"%d"},
    "spec":{"podSets":[{"name":"main","count":1,"template":{}}]}}\
    """
        .formatted(name, name, version)
        .replace("\n", ""); // an event of a watch is one line
  }

  /** A view of Workloads that has not started. */
  private WatchedView view(Connection connection) {
    return open(
        new WatchedView(
            connection,
            List.of(
                new WatchedKind(ApiKind.WORKLOAD.hub(), Optional.of("workloads"), Keep.ALL, false)),
            WatchTimes.EAGER,
            new Random(1),
            (_, _) -> {},
            supervisor));
  }

  private Connection connection(String events) throws IOException {
    AnyApiServer server = open(new AnyApiServer(LIST, events));
    return open(Connection.to(server.kubeconfig(folder)));
  }

  /** What a new leader tells its engine. */
  private List<String> takenOver(Connection connection, WatchedView view)
      throws InterruptedException {
    List<String> told = new ArrayList<>();
    new Takeover(connection, new Objects(view))
        .read(change -> told.add(told(change)), supervisor.part("takeover").heartbeat(DEADLINE));
    return told;
  }

  private static String told(Change change) {
    return switch (change) {
      case Change.Upserted<?>(_, Workload it) -> "is " + it.metadata().name();
      case Change.WorkloadAnswered(var it) -> "answered " + it.metadata().name();
      case Change.Deleted(_, var key, _) -> "deleted " + key.name();
      default -> change.toString();
    };
  }

  @Test
  void whatTheWatchHasNotShownYetIsTakenInAsItIsStoredAndAwaited() throws Exception {
    Connection connection = connection("");
    WatchedView view = view(connection);
    Takeover takeover = new Takeover(connection, new Objects(view));
    List<String> told = new CopyOnWriteArrayList<>();
    AtomicBoolean leads = new AtomicBoolean();
    supervisor
        .part("takeover")
        .thread(
            Thread.ofVirtual(),
            DEADLINE,
            heart -> {
              takeover.read(change -> told.add(told(change)), heart);
              leads.set(true);
              return false;
            })
        .start();
    await().atMost(PATIENCE).until(() -> told.size() == 2);
    assertThat(told).containsExactly("is a", "is b");
    assertThat(leads).isFalse();

    view.start();

    await().atMost(PATIENCE).untilTrue(leads);
  }

  @Test
  void whatTheWatchShowsIsTakenInAsAnAnswer() throws Exception {
    Connection connection = connection("");
    WatchedView view = view(connection);
    view.start();
    await().atMost(PATIENCE).until(() -> view.missing().isEmpty());

    assertThat(takenOver(connection, view)).containsExactly("answered a", "answered b");
  }

  @Test
  void whatTheWatchHasShownTheEndOfIsNotTakenIn() throws Exception {
    Connection connection =
        connection("{\"type\":\"DELETED\",\"object\":%s}\n".formatted(workload("a", 9)));
    WatchedView view = view(connection);
    view.start();
    await().atMost(PATIENCE).until(() -> view.reached(ApiKind.WORKLOAD.groupKind()) >= 9);

    assertThat(takenOver(connection, view)).containsExactly("answered b");
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aTakeoverThatFailsReadsAllAgainOrEndsTheProcess(Fault fault) throws Exception {
    Connection connection = connection("");
    WatchedView view = view(connection);
    Takeover takeover = new Takeover(connection, new Objects(view));
    Fault.Trap trap = fault.once();
    List<String> told = new CopyOnWriteArrayList<>();
    List<String> afterwards = new CopyOnWriteArrayList<>();
    supervisor
        .part("takeover")
        .thread(
            Thread.ofVirtual(),
            DEADLINE,
            heart -> {
              takeover.read(
                  change -> {
                    told.add(told(change));
                    trap.pass();
                  },
                  heart);
              afterwards.add("leads");
              return false;
            })
        .start();

    if (fault == Fault.ERROR) {
      awaitTheEndBy("takeover");
      assertThat(afterwards).isEmpty();
    } else {
      await().atMost(PATIENCE).until(() -> told.size() == 3);
      view.start();
      await().atMost(PATIENCE).until(() -> !afterwards.isEmpty());
      assertThat(told).containsExactly("is a", "is a", "is b");
      assertRestartedOnce("takeover");
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aStartThatFailsWaitsForTheViewAgainOrEndsTheProcess(Fault fault) {
    Fault.Trap trap = fault.once();
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger wentOn = new AtomicInteger();
    supervisor
        .part("start")
        .thread(
            Thread.ofVirtual(),
            DEADLINE,
            new ViewWait(
                () -> {
                  trap.pass();
                  return asked.incrementAndGet() < 3 ? List.of("pods") : List.of();
                },
                Duration.ofMillis(1),
                wentOn::incrementAndGet))
        .start();

    if (fault == Fault.ERROR) {
      awaitTheEndBy("start");
      assertThat(wentOn).hasValue(0);
    } else {
      await().atMost(PATIENCE).until(() -> wentOn.get() == 1);
      assertThat(asked).hasValue(3);
      assertRestartedOnce("start");
    }
  }

  private void awaitTheEndBy(String part) {
    await().atMost(PATIENCE).until(() -> !ends.isEmpty());
    assertThat(ends)
        .containsExactly(
            "70 the part %s failed with java.lang.AssertionError: thrown by a test"
                .formatted(part));
  }

  private void assertRestartedOnce(String part) {
    assertThat(ends).isEmpty();
    assertThat(supervisor.part(part).failures()).isEqualTo(1);
    await().atMost(PATIENCE).until(() -> supervisor.health().isGood());
  }
}
