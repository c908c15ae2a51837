package dev.sluice.scheduler.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.scheduler.audit.AuditController;
import dev.sluice.scheduler.audit.ShownWorkloads;
import dev.sluice.scheduler.audit.StoredAudit;
import dev.sluice.scheduler.engine.EngineLoop;
import dev.sluice.scheduler.engine.StatusUpdate;
import dev.sluice.scheduler.lead.Leadership;
import dev.sluice.scheduler.lead.LeaseSettings;
import dev.sluice.scheduler.ledger.LedgerFollower;
import dev.sluice.scheduler.ledger.LedgerServer;
import dev.sluice.scheduler.queue.QueueStatusController;
import dev.sluice.scheduler.recorder.FlightRecorder;
import dev.sluice.scheduler.recorder.RecordingOptions;
import dev.sluice.scheduler.store.Kinds;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.write.EventRecorder;
import dev.sluice.scheduler.write.Sender;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.Fault;
import dev.sluice.testkit.FullTier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each kind of thread of a scheduler, with each kind of fault thrown once into the work it is
 * given: it goes on and has lost nothing, or it ends the process with a line that names it.
 */
@FullTier
@Timeout(300)
class FaultInjectionIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final RoleSettings SETTINGS = RoleSettings.parse("batch/job", "");
  private static final GroupKind POD = Kinds.POD;
  private static final WatchTimes HASTY =
      new WatchTimes(
          Duration.ofSeconds(10),
          2,
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofMillis(10),
          Duration.ofMillis(100),
          Duration.ofMillis(100));

  @TempDir private Path folder;
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final Supervisor supervisor =
      new Supervisor(
          (code, why) -> ends.add(code + " " + why), InstantSource.system(), System::nanoTime);
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** Starts a thread into whose work the trap is laid; answers whether nothing was lost. */
  private interface Kind {
    BooleanSupplier start(FaultInjectionIT test, Fault.Trap trap) throws IOException;
  }

  private static Map<String, Kind> kinds() {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    kinds.put("engine, when it publishes", (test, trap) -> test.engine(trap, "moved"));
    kinds.put("engine, when it hands on decisions", (test, trap) -> test.engine(trap, "decided"));
    kinds.put("engine, when queues change", (test, trap) -> test.engine(trap, "queues"));
    kinds.put("engine, when it measures a cycle", (test, trap) -> test.engine(trap, "cycled"));
    kinds.put("jobs", FaultInjectionIT::workQueue);
    kinds.put("watch-pod, in a list", (test, trap) -> test.watch(trap, true));
    kinds.put("watch-pod, in an event", (test, trap) -> test.watch(trap, false));
    kinds.put("lease, when it is won", (test, trap) -> test.lease(trap, true));
    kinds.put("lease, when it is renewed", (test, trap) -> test.lease(trap, false));
    kinds.put("ledger", FaultInjectionIT::ledger);
    kinds.put("ledger-accept", FaultInjectionIT::ledgerAccept);
    kinds.put("ledger-follow", FaultInjectionIT::ledgerFollow);
    kinds.put("recorder", FaultInjectionIT::recorder);
    kinds.put("queues", FaultInjectionIT::queuePass);
    kinds.put("audit", FaultInjectionIT::audit);
    kinds.put("events", FaultInjectionIT::events);
    return kinds;
  }

  private static Stream<Arguments> table() {
    return kinds().keySet().stream()
        .flatMap(kind -> Stream.of(Fault.values()).map(fault -> Arguments.of(kind, fault)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("table")
  void aFaultIsFollowedByARestartThatLosesNothingOrByTheEndOfTheProcess(String kind, Fault fault)
      throws IOException {
    String part = kind.replaceAll(",.*", "");
    Fault.Trap trap = fault.once();

    BooleanSupplier lostNothing = requireNonNull(kinds().get(kind)).start(this, trap);
    await().atMost(PATIENCE).until(trap::hasStruck);

    if (fault == Fault.ERROR) {
      await().atMost(PATIENCE).until(() -> !ends.isEmpty());
      assertThat(ends)
          .containsExactly(
              "70 the part %s failed with java.lang.AssertionError: thrown by a test"
                  .formatted(part));
    } else {
      await().atMost(PATIENCE).until(lostNothing::getAsBoolean);
      assertThat(ends).isEmpty();
      assertThat(supervisor.part(part).failures()).isEqualTo(1);
      assertThat(supervisor.health().text()).isEqualTo("ok");
    }
  }

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

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  private static Change queue() {
    return Change.upserted(
        ObjectKind.CLUSTER_QUEUE,
        read(
            ClusterQueue.class,
            """
            {'metadata':{'name':'a'},'spec':{'namespaceSelector':{},'resourceGroups':[{
            'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[{'name':'cpu',
            'nominalQuota':1}]}]}]}}\
            """));
  }

  private static List<Change> waitingWorkload() {
    return List.of(
        Change.upserted(ObjectKind.NAMESPACE, read(Namespace.class, "{'metadata':{'name':'n'}}")),
        Change.upserted(
            ObjectKind.RESOURCE_FLAVOR,
            read(ResourceFlavor.class, "{'metadata':{'name':'f'},'spec':{}}")),
        queue(),
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            read(
                LocalQueue.class,
                "{'metadata':{'name':'q','namespace':'n'},'spec':{'clusterQueue':'a'}}")),
        Change.upserted(
            ObjectKind.WORKLOAD,
            read(
                Workload.class,
                """
                {'metadata':{'namespace':'n','name':'w','uid':'u','resourceVersion':'7',
                'creationTimestamp':'2026-01-01T11:00:00Z'},'spec':{'queueName':'q','active':true,
                'podSets':[{'name':'main','count':1,'template':{'spec':{'containers':[{'name':'c',
                'resources':{'requests':{'cpu':'1'}}}]}}}]}}\
                """)));
  }

  /** Lost is nothing if the decision arrives, is in the snapshot, and the queue was told. */
  private BooleanSupplier engine(Fault.Trap trap, String where) {
    List<String> told = new CopyOnWriteArrayList<>();
    EngineLoop.Listener listener =
        new EngineLoop.Listener() {
          private void strike(String at) {
            if (at.equals(where)) {
              trap.pass();
            }
            told.add(at);
          }

          @Override
          public void decided(List<StatusUpdate> decisions) {
            strike("decided");
            decisions.forEach(it -> told.add(it.kind() + " " + it.workload()));
          }

          @Override
          public void queuesChanged(Set<String> clusterQueues) {
            strike("queues");
            told.addAll(clusterQueues);
          }

          @Override
          public void moved() {
            strike("moved");
          }

          @Override
          public void cycled(CycleResult result, long nanos) {
            strike("cycled");
          }

          @Override
          public void found(List<String> findings) {
            told.addAll(findings);
          }
        };
    EngineLoop loop =
        open(
            new EngineLoop(
                new QuotaEngine(EngineConfiguration.defaults()), () -> NOW, listener, supervisor));
    loop.start();
    loop.decide(true);
    waitingWorkload().forEach(loop::submit);
    return () ->
        told.contains("RESERVED n/w")
            && told.contains("a")
            && told.contains("moved")
            && loop.snapshot().holders("a").iterator().hasNext();
  }

  /** Lost is nothing if the recording begins with the next snapshot. */
  private BooleanSupplier recorder(Fault.Trap trap) {
    InstantSource clock =
        () -> {
          trap.pass();
          return NOW;
        };
    QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
    FlightRecorder recorder =
        open(
            new FlightRecorder(
                new RecordingOptions(folder.resolve("rec"), RecordingOptions.DEFAULT_BYTES),
                EngineConfiguration.defaults(),
                clock,
                new SimpleMeterRegistry(),
                supervisor));
    recorder.looked(NOW, engine.snapshot(NOW));
    recorder.start();
    return () -> {
      recorder.looked(NOW, engine.snapshot(NOW));
      String[] segments = folder.resolve("rec").toFile().list();
      return segments != null && segments.length > 0;
    };
  }

  private BooleanSupplier workQueue(Fault.Trap trap) {
    List<String> looked = new CopyOnWriteArrayList<>();
    WorkQueue<String> queue =
        open(
            new WorkQueue<>(
                "jobs",
                1,
                key -> {
                  trap.pass();
                  looked.add(key);
                  return WorkQueue.Result.REST;
                },
                supervisor));
    queue.add("first");
    queue.add("second");
    return () -> looked.containsAll(List.of("first", "second"));
  }

  private static String pod(String name) {
    return "{\"metadata\":{\"namespace\":\"n\",\"name\":\"%s\",\"resourceVersion\":\"3\"}}"
        .formatted(name);
  }

  private BooleanSupplier watch(Fault.Trap trap, boolean inList) throws IOException {
    // one answer for lists and watches alike: the watch reads it as the events after the list
    String list =
        "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[%s,%s]}"
            .formatted(pod("a"), pod("b"));
    String events =
        "{\"type\":\"ADDED\",\"object\":%s}\n{\"type\":\"ADDED\",\"object\":%s}\n"
            .formatted(pod("c"), pod("d"));
    AnyApiServer server = open(new AnyApiServer(list, events));
    Connection connection = open(Connection.to(server.kubeconfig(folder)));
    List<String> told = new CopyOnWriteArrayList<>();
    WatchedView view =
        open(
            new WatchedView(
                connection,
                List.of(
                    new WatchedKind(
                        new dev.sluice.api.GroupVersionKind("", "v1", "Pod"),
                        Optional.of("pods"),
                        dev.sluice.json.tree.Keep.ALL,
                        false)),
                HASTY,
                new Random(1),
                (kind, change) -> {
                  String name = change.latest().at("/metadata/name").asText();
                  if (inList ? name.equals("a") : name.equals("c")) {
                    trap.pass();
                  }
                  told.add(name);
                },
                supervisor));
    view.start();
    return () -> told.containsAll(List.of("a", "b", "c", "d")) && view.knows(POD);
  }

  private BooleanSupplier lease(Fault.Trap trap, boolean whenWon) throws IOException {
    AnyApiServer server = open(new AnyApiServer("", ""));
    Connection connection = open(Connection.to(server.kubeconfig(folder)));
    AtomicInteger won = new AtomicInteger();
    LeaseSettings settings =
        new LeaseSettings(
            "n",
            "lease",
            "me",
            SETTINGS,
            Duration.ofSeconds(90),
            Duration.ofSeconds(80),
            Duration.ofMillis(100));
    Leadership leadership =
        open(
            new Leadership(
                connection,
                settings,
                () -> {
                  if (!whenWon) {
                    trap.pass();
                  }
                  return NOW;
                },
                System::nanoTime,
                new Leadership.Listener() {
                  @Override
                  public void won() {
                    if (whenWon) {
                      trap.pass();
                    }
                    won.incrementAndGet();
                  }

                  @Override
                  public void lost() {}
                },
                supervisor));
    leadership.start();
    return () -> leadership.isLeader() && won.get() == 1;
  }

  private static Snapshot held() {
    QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
    engine.apply(queue(), NOW);
    engine.apply(
        Change.upserted(
            ObjectKind.WORKLOAD,
            read(
                Workload.class,
                """
                {'metadata':{'namespace':'n','name':'held','uid':'u','resourceVersion':'7'},
                'spec':{'podSets':[{'name':'main','count':1,'template':{}}]},'status':{
                'admission':{'clusterQueue':'a','podSetAssignments':[{'name':'main','count':1,
                'flavors':{'cpu':'f'},'resourceUsage':{'cpu':'1'}}]},'conditions':[{
                'type':'QuotaReserved','status':'True','reason':'QuotaReserved','message':'',
                'lastTransitionTime':'2026-01-01T12:00:00Z'}]}}\
                """)),
        NOW);
    return engine.snapshot(NOW);
  }

  private LedgerFollower follower(java.util.function.LongSupplier nanoTime) {
    LedgerFollower follower =
        open(new LedgerFollower(folder.resolve("ledger"), nanoTime, _ -> {}, supervisor));
    follower.start();
    return follower;
  }

  /** The one that accepts asks for a snapshot first, the one that publishes next. */
  private BooleanSupplier ledger(Fault.Trap trap) throws IOException {
    Snapshot empty = new QuotaEngine(EngineConfiguration.defaults()).snapshot(NOW);
    Snapshot held = held();
    AtomicInteger asked = new AtomicInteger();
    open(
        LedgerServer.start(
            folder.resolve("ledger"),
            () -> {
              if (Thread.currentThread().getName().equals("sluice-ledger")) {
                trap.pass();
              }
              return asked.incrementAndGet() < 2 ? empty : held;
            },
            SETTINGS,
            supervisor));
    LedgerFollower follower = follower(System::nanoTime);
    return () -> follower.size() == 1;
  }

  private BooleanSupplier ledgerAccept(Fault.Trap trap) throws IOException {
    Snapshot held = held();
    open(
        LedgerServer.start(
            folder.resolve("ledger"),
            () -> {
              if (Thread.currentThread().getName().equals("sluice-ledger-accept")) {
                trap.pass();
              }
              return held;
            },
            SETTINGS,
            supervisor));
    LedgerFollower follower = follower(System::nanoTime);
    return () -> follower.size() == 1;
  }

  private BooleanSupplier ledgerFollow(Fault.Trap trap) throws IOException {
    Snapshot held = held();
    open(LedgerServer.start(folder.resolve("ledger"), () -> held, SETTINGS, supervisor));
    LedgerFollower follower =
        follower(
            () -> {
              if (Thread.currentThread().getName().equals("sluice-ledger-follow")) {
                trap.pass();
              }
              return System.nanoTime();
            });
    return () -> follower.size() == 1 && follower.isFollowing();
  }

  private BooleanSupplier queuePass(Fault.Trap trap) throws IOException {
    AnyApiServer server = open(new AnyApiServer("", ""));
    Connection connection = open(Connection.to(server.kubeconfig(folder)));
    WatchedView view =
        open(
            new WatchedView(connection, List.of(), HASTY, new Random(1), (_, _) -> {}, supervisor));
    Objects objects = new Objects(view);
    Sender sender = new Sender(connection, () -> true, _ -> {}, (_, _, _) -> {});
    AtomicInteger passes = new AtomicInteger();
    QueueStatusController queues =
        open(
            new QueueStatusController(
                objects,
                FaultInjectionIT::held,
                false,
                new Outbox(sender, objects, InstantSource.system()),
                () -> {
                  trap.pass();
                  passes.incrementAndGet();
                  return true;
                },
                InstantSource.system(),
                Duration.ofMillis(10),
                Optional.empty(),
                supervisor));
    queues.moved(); // once: the pass after the fault is made without another word
    return () -> passes.get() == 1;
  }

  private BooleanSupplier audit(Fault.Trap trap) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    AuditController audit =
        open(
            new AuditController(
                () -> {
                  trap.pass();
                  return held();
                },
                new StoredAudit(
                    new ShownWorkloads(Map.of()),
                    FaultInjectionIT::held,
                    _ -> {},
                    _ -> {},
                    System::nanoTime),
                registry,
                supervisor));
    audit.start();
    return () -> registry.get("sluice.audit.rounds").counter().count() > 0;
  }

  private BooleanSupplier events(Fault.Trap trap) throws IOException {
    AnyApiServer server = open(new AnyApiServer("", ""));
    Connection connection = open(Connection.to(server.kubeconfig(folder)));
    EventRecorder recorder =
        open(
            new EventRecorder(
                connection,
                InstantSource.system(),
                () -> {
                  trap.pass();
                  return 7;
                },
                "me",
                new SimpleMeterRegistry(),
                supervisor));
    ObjectRef target =
        new ObjectRef(new dev.sluice.api.GroupVersionKind("", "v1", "Pod"), "n", "p", "u");
    recorder.record(new Write.Event(target, "Normal", "First", "one"));
    recorder.record(new Write.Event(target, "Normal", "Second", "two"));
    return () -> server.asked().stream().filter(it -> it.startsWith("POST ")).count() == 2;
  }
}
